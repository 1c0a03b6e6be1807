(function() {
	// src/explorer/elements.ts
	/** The element of the page with this id. @throws Error where the page has none of this kind */
	function byId(id, kind) {
		const found = document.getElementById(id);
		if (found instanceof kind) return found;
		throw new Error(`no ${kind.name} #${id}`);
	}
	/** Makes an element. What comes from elsewhere only ever becomes text. */
	function element(tag, attributes = {}, ...children) {
		const made = document.createElement(tag);
		for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
		made.append(...children);
		return made;
	}
	/** A table with a header cell in front of each row. */
	function rows(lines) {
		return element("div", { class: "scroll" }, element("table", {}, element("tbody", {}, ...lines.map(([head, ...cells]) => element("tr", {}, element("th", { scope: "row" }, head), ...cells.map((cell) => element("td", {}, cell)))))));
	}
	// src/explorer/copy.ts
	/** A button that copies a text. Where the browser allows no copying, it selects the text instead. */
	function copyButton(what, text, shown) {
		const button = element("button", {
			type: "button",
			class: "quiet"
		}, `Copy ${what}`);
		const say = (words) => {
			button.textContent = words;
			setTimeout(() => {
				button.textContent = `Copy ${what}`;
			}, 2e3);
		};
		button.addEventListener("click", async () => {
			try {
				await navigator.clipboard.writeText(text);
				say("Copied");
			} catch {
				getSelection()?.selectAllChildren(shown);
				say("Selected: copy it with the keyboard");
			}
		});
		return button;
	}
	// src/explorer/token.ts
	/** Characters that nobody sees, or that turn the text around them: shown by their number. */
	const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
	/** A text as it can be shown, without a character that plays tricks on the reader. */
	function visible(text) {
		return text.replace(hidden, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
	}
	// src/explorer/format-json.ts
	const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
	/**
	* Lays JSON out over lines. It is never parsed as a whole: JavaScript would put keys like numbers in another order, and
	* round long ones. Texts are shown decoded.
	*/
	function formatJson(body) {
		const tokens = [];
		const plain = (text) => tokens.push({
			text,
			kind: "plain"
		});
		let depth = 0;
		const line = () => plain(`\n${"  ".repeat(depth)}`);
		const pieces = body.match(token) ?? [];
		pieces.forEach((piece, at) => {
			const next = pieces[at + 1] ?? "";
			if (piece === "{" || piece === "[") {
				plain(piece);
				depth++;
				if (next !== "}" && next !== "]") line();
			} else if (piece === "}" || piece === "]") {
				depth--;
				if (!/[[{]/.test(pieces[at - 1] ?? "")) line();
				plain(piece);
			} else if (piece === ",") {
				plain(piece);
				line();
			} else if (piece === ":") plain(": ");
			else if (!piece.startsWith("\"")) tokens.push({
				text: piece,
				kind: /^[-\d]/.test(piece) ? "number" : "word"
			});
			else tokens.push({
				text: decoded$1(piece),
				kind: next === ":" ? "name" : "string"
			});
		});
		return tokens;
	}
	function decoded$1(text) {
		const value = JSON.parse(text);
		return visible(JSON.stringify(value));
	}
	// src/explorer/format-xml.ts
	const piece = /<[^>]*>|[^<]+/g;
	const reference = /&(?:#x([\dA-Fa-f]+)|#(\d+)|(\w+));/g;
	const named = {
		amp: "&",
		lt: "<",
		gt: ">",
		quot: "\"",
		apos: "'"
	};
	/**
	* Lays out over lines the XML that the gateway writes, which has no comments and no mixed content. Texts are shown decoded.
	* @param notes the number of the note on an element, by the element's name
	*/
	function formatXml(body, notes) {
		const tokens = [];
		const plain = (text) => tokens.push({
			text,
			kind: "plain"
		});
		let depth = 0;
		let afterText = false;
		let note;
		const line = () => tokens.length > 0 && plain(`\n${"  ".repeat(depth)}`);
		for (const part of body.match(piece) ?? []) if (!part.startsWith("<")) {
			if (depth === 0) continue;
			tokens.push({
				text: decoded(part),
				kind: "string",
				...noted(note)
			});
			afterText = true;
		} else if (part.startsWith("</")) {
			depth--;
			if (!afterText) line();
			tokens.push({
				text: part,
				kind: "name"
			});
			afterText = false;
			note = void 0;
		} else {
			line();
			const [, name = "", attributes = "", end = ""] = /^<([^\s/>]+)(.*?)(\/?>|\?>)$/s.exec(part) ?? [];
			note = notes.get(name);
			const closes = end === "/>" || end === "?>";
			tokens.push({
				text: `<${name}`,
				kind: "name",
				...closes ? noted(note) : {}
			});
			if (attributes !== "") tokens.push({
				text: decoded(attributes),
				kind: "string"
			});
			tokens.push({
				text: end,
				kind: "name"
			});
			if (!closes) depth++;
			afterText = false;
		}
		return tokens;
	}
	function noted(note) {
		return note === void 0 ? {} : { note };
	}
	function decoded(text) {
		return visible(text.replace(reference, (whole, hex, decimal, name) => {
			if (name !== void 0) return named[name] ?? whole;
			return String.fromCodePoint(hex === void 0 ? Number(decimal) : Number.parseInt(hex, 16));
		}));
	}
	// src/explorer/notes.ts
	const habits = {
		JSON: [[/\\\//, "A slash is written \\/, as PHP writes it. It means the same; the raw bytes have it."], [/\\u/, "Everything beyond ASCII is written as \\u and a number; the raw bytes have it."]],
		XML: [[/&#/, "Everything beyond ASCII, and what XML cannot carry as it is, is written as a reference; the raw bytes have it."], [/\ufffd|&#xFFFD;/, "A character that XML cannot carry at all became U+FFFD. JSON has it unharmed."]]
	};
	/** What is particular about an answer. */
	function notesOn(format, body, fields) {
		const texts = [];
		const ofField = /* @__PURE__ */ new Map();
		if (format === "XML") for (const { name, inXml } of fields) {
			if (inXml === void 0 || !new RegExp(`<${name}[/>]`).test(body)) continue;
			ofField.set(name, texts.push(`${name}: ${inXml}`));
		}
		for (const [pattern, text] of habits[format]) if (pattern.test(body)) texts.push(text);
		return {
			texts,
			ofField
		};
	}
	// src/explorer/answer-view.ts
	/** Longer answers are shown as they are: laying them out would keep the page from answering. */
	const LONGEST = 262144;
	/** What came back in one format. */
	function answerPanel(format, received, event) {
		if (received === null) return element("div", { class: "panel" }, problem("The gateway does not answer."));
		const { status, body, headers, took } = received;
		const ok = status < 400 && !/^\{"Error":\{"Code"|<Error>/.test(body);
		const notes = notesOn(format, body, event?.fields ?? []);
		return element("div", { class: "panel" }, element("p", { class: ok ? "status" : "status bad" }, element("strong", {}, `HTTP ${status}`), `${ok ? "" : " error"} · ${body.length.toLocaleString("en")} bytes · ${took.toFixed(1)} ms`), ...shownBody(format, body, notes), element("details", {}, element("summary", {}, `Headers (${headers.length})`), rows(headers.map(([name, value]) => [name, element("code", {}, value)]))));
	}
	/** The refusal of a request, in the words of the service. */
	function problem(text) {
		return element("p", { class: "bad" }, text);
	}
	function shownBody(format, body, notes) {
		const raw = element("pre", {
			tabindex: "0",
			"aria-label": `${format} answer, raw bytes`,
			class: "raw"
		}, body);
		if (body.length > LONGEST) return [element("p", { class: "faint" }, "Too long to be laid out: these are the raw bytes."), raw];
		const tokens = format === "JSON" ? formatJson(body) : formatXml(body, notes.ofField);
		const laidOut = element("pre", {
			tabindex: "0",
			"aria-label": `${format} answer`
		}, ...tokens.map(shownToken));
		raw.hidden = true;
		const toggle = element("button", {
			type: "button",
			class: "quiet",
			"aria-pressed": "false"
		}, "Raw bytes");
		toggle.addEventListener("click", () => {
			raw.hidden = !raw.hidden;
			laidOut.hidden = !raw.hidden;
			toggle.setAttribute("aria-pressed", String(!raw.hidden));
		});
		const actions = element("p", { class: "actions" }, toggle, copyButton("raw bytes", body, raw));
		const list = element("ol", { class: "notes" }, ...notes.texts.map((text) => element("li", {}, text)));
		return [
			laidOut,
			raw,
			actions,
			...notes.texts.length > 0 ? [list] : []
		];
	}
	function shownToken({ text, kind, note }) {
		const shown = kind === "plain" ? document.createTextNode(text) : element("span", { class: kind }, text);
		return note === void 0 ? shown : element("mark", {}, shown, element("sup", {}, String(note)));
	}
	// src/explorer/explanation-view.ts
	/** Shows what a legacy request became: on the left. */
	function showExplanation(explained, graphiql) {
		byId("became", HTMLElement).replaceChildren(parsedRequest(explained), ...operation(explained, graphiql), ...dialect(explained), timings(explained));
	}
	function parsedRequest({ request, answer, error }) {
		const list = (values) => element("code", {}, values.map(visible).join(" ") || "–");
		const given = request.parameters.map(({ name, value, known }) => known ? `${name} = ${value}` : `${name} = ${value} (ignored)`);
		return rows([
			["Event", request.event ?? "none"],
			["Format", request.format],
			["Parameters", element("code", { class: "lines" }, given.map(visible).join("\n") || "–")],
			["Values", list(request.values)],
			...error === null ? [["Found", `${answer.found} of ${request.values.length}`], ...answer.missing.length > 0 ? [["Match nothing", list(answer.missing)]] : []] : [["Refused", `${error.code}: ${error.message}`]]
		]);
	}
	function operation({ operation }, graphiql) {
		if (operation === null) return [element("p", {}, "It is refused before it becomes a GraphQL operation.")];
		const variables = JSON.stringify(operation.variables, null, 2);
		const query = element("pre", {
			tabindex: "0",
			"aria-label": "GraphQL operation"
		}, operation.query);
		const shown = element("pre", {
			tabindex: "0",
			"aria-label": "Variables"
		}, visibleLines(variables));
		const address = `graphql?${new URLSearchParams({
			query: operation.query,
			variables
		})}`;
		const link = graphiql ? [element("a", { href: address }, "Open in GraphiQL")] : [];
		return [
			element("h3", {}, "GraphQL operation"),
			query,
			element("h3", {}, "Variables"),
			shown,
			element("p", { class: "actions" }, copyButton("operation", operation.query, query), ...link)
		];
	}
	function visibleLines(text) {
		return text.split("\n").map(visible).join("\n");
	}
	function dialect({ dialect: applied }) {
		if (applied.length === 0) return [];
		return [element("h3", {}, "Settings that applied"), rows(applied.map(({ setting, value, effect }) => [setting, element("span", {}, element("code", {}, value), ` ${effect}`)]))];
	}
	function timings({ timings: { parse, execute, write } }) {
		const milliseconds = (time) => `${time.toFixed(2)} ms`;
		return element("p", { class: "faint" }, `Read in ${milliseconds(parse)}, executed in ${milliseconds(execute)}, written in ${milliseconds(write)}.`);
	}
	// src/explorer/query.ts
	/** A line of a web server's log, or the first line of a request. */
	const requestLine = /(?:^|")(?:GET|HEAD|POST) (\S+)/;
	/** Everything that a URL's query may hold as it is, and that needs no quoting in any language. */
	const plain = /[^\w\-.~:%&=+*!(),;/?@[\]]/gu;
	/**
	* The query string within what someone pasted: a whole URL, a target, a line of a log, or the query string itself.
	* Characters that a URL cannot hold are encoded; everything else stays as it is, what is wrong with it included.
	*/
	function queryWithin(pasted) {
		const text = pasted.trim();
		const [beforeFragment = ""] = (requestLine.exec(text)?.[1] ?? text).split("#", 1);
		const mark = beforeFragment.indexOf("?");
		if (mark !== -1) return encodeQuery(beforeFragment.slice(mark + 1));
		return /^(?:\w+:)?\/|^$/.test(beforeFragment) ? "" : encodeQuery(beforeFragment);
	}
	function encodeQuery(query) {
		return query.toWellFormed().replace(plain, (character) => character === "'" ? "%27" : encodeURIComponent(character));
	}
	/** A query string of names and values; colons stay readable, since lists are made of them. */
	function writeQuery(parameters) {
		const encode = (text) => encodeQuery(encodeURIComponent(text.toWellFormed())).replaceAll("%3A", ":");
		return Array.from(parameters, ([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
	}
	/** What can be read of a query string; of a parameter that comes twice, the first. */
	function readQuery(query) {
		const read = /* @__PURE__ */ new Map();
		for (const [name, value] of new URLSearchParams(query)) if (!read.has(name)) read.set(name, value);
		return read;
	}
	/** The same request in another format. */
	function inFormat(query, format) {
		return [...query.split("&").filter((part) => !new URLSearchParams(part).has("Format") && part !== ""), ...format === "XML" ? ["Format=XML"] : []].join("&");
	}
	// src/explorer/form.ts
	/**
	* The request, to be typed into one field or picked from controls; each follows the other.
	* @param changed is told when something else is asked for
	*/
	function createForm(events, changed) {
		const request = byId("request", HTMLInputElement);
		const event = byId("event", HTMLSelectElement);
		const format = byId("format", HTMLSelectElement);
		const parameters = byId("parameters", HTMLElement);
		const controls = /* @__PURE__ */ new Map();
		event.append(...events.map(({ name }) => element("option", { value: name }, name)));
		const chosen = () => events.find(({ name }) => name === event.value);
		function makeControls(given) {
			controls.clear();
			byId("description", HTMLElement).textContent = chosen()?.description ?? "";
			parameters.replaceChildren();
			for (const { name, description, allowed, example } of chosen()?.parameters ?? []) {
				const value = given.get(name);
				const control = allowed === void 0 ? element("input", {
					value: value ?? example,
					autocomplete: "off",
					spellcheck: "false"
				}) : element("select", {}, ...allowed.map((choice) => element("option", { value: choice }, choice)));
				if (allowed !== void 0 && value !== void 0 && allowed.includes(value)) control.value = value;
				control.id = `parameter-${name}`;
				control.setAttribute("aria-describedby", `about-${name}`);
				controls.set(name, control);
				const label = element("label", { for: control.id }, name);
				parameters.append(element("div", {}, label, control, element("small", { id: `about-${name}` }, description)));
			}
		}
		function writeRequest() {
			const picked = chosen()?.parameters.flatMap(({ name, allowed }) => {
				const value = controls.get(name)?.value ?? "";
				return value === allowed?.[0] ? [] : [[name, value]];
			});
			const asked = [["Event", event.value], ...picked ?? []];
			const query = writeQuery(format.value === "XML" ? [...asked, ["Format", "XML"]] : asked);
			request.value = `/?${query}`;
		}
		function showInControls(query) {
			const given = readQuery(query);
			const named = given.get("Event");
			if (events.some(({ name }) => name === named)) event.value = named ?? "";
			format.value = given.get("Format") === "XML" ? "XML" : "JSON";
			makeControls(given);
		}
		event.addEventListener("change", () => {
			makeControls(/* @__PURE__ */ new Map());
			writeRequest();
			changed();
		});
		format.addEventListener("change", () => {
			writeRequest();
			changed();
		});
		parameters.addEventListener("input", writeRequest);
		parameters.addEventListener("change", changed);
		request.addEventListener("input", () => showInControls(queryWithin(request.value)));
		byId("form", HTMLFormElement).addEventListener("submit", (submission) => {
			submission.preventDefault();
			changed();
		});
		makeControls(/* @__PURE__ */ new Map());
		writeRequest();
		return {
			query: () => queryWithin(request.value),
			show: (query) => {
				request.value = `/?${query}`;
				showInControls(query);
			}
		};
	}
	// src/explorer/gateway.ts
	/** Asks the legacy interface; `null` where nobody answers. */
	function askLegacy(query, signal) {
		return receive(`?${query}`, signal);
	}
	/** What a request becomes, or the refusal to say so. */
	async function askExplanation(query, signal) {
		const received = await receive(`explain?${query}`, signal);
		if (received === null) return { refusal: "The gateway does not answer." };
		const read = readJson(received.body);
		if (received.status === 200 && isExplanation(read)) return read;
		return { refusal: refusalIn(read) ?? `The gateway answers with status ${received.status}.` };
	}
	async function receive(address, signal) {
		const started = performance.now();
		try {
			const response = await fetch(address, {
				signal,
				cache: "no-store",
				headers: { Accept: "*/*" }
			});
			const body = await response.text();
			return {
				status: response.status,
				headers: [...response.headers],
				body,
				took: timeOf(response.url) ?? performance.now() - started
			};
		} catch {
			return null;
		}
	}
	/** Milliseconds from the request to the end of its answer, as the browser has timed it; it may not have. */
	function timeOf(url) {
		const entry = performance.getEntriesByName(url).at(-1);
		if (!(entry instanceof PerformanceResourceTiming) || entry.requestStart === 0) return null;
		return entry.responseEnd - entry.requestStart;
	}
	function readJson(body) {
		try {
			return JSON.parse(body);
		} catch {
			return null;
		}
	}
	function isExplanation(value) {
		return typeof value === "object" && value !== null && "request" in value && "service" in value;
	}
	/** The service's own words, in an error of the legacy interface. */
	function refusalIn(value) {
		if (typeof value !== "object" || value === null || !("Error" in value)) return null;
		const { Error: error } = value;
		if (typeof error !== "object" || error === null || !("Message" in error)) return null;
		return typeof error.Message === "string" ? error.Message : null;
	}
	// src/explorer/page-data.ts
	/** The events' declarations, which the gateway puts into the page. */
	function readEvents() {
		return JSON.parse(document.getElementById("events")?.textContent ?? "[]");
	}
	// src/explorer/snippets.ts
	/** @param url with nothing in it that would have to be escaped in any of these languages (`queryWithin`) */
	function snippetsFor(url, format) {
		const json = format === "JSON";
		return [
			{
				language: "curl",
				code: `curl '${url}'`
			},
			{
				language: "PHP",
				code: `<?php
$context = stream_context_create(['http' => ['ignore_errors' => true]]);
$body = file_get_contents('${url}', false, $context);
print_r(${json ? "json_decode($body, true)" : "simplexml_load_string($body)"});`
			},
			{
				language: "Python",
				code: json ? `import json
from urllib.request import urlopen

with urlopen('${url}') as response:
    print(json.load(response))` : `import xml.etree.ElementTree as ElementTree
from urllib.request import urlopen

with urlopen('${url}') as response:
    for data in ElementTree.parse(response).getroot():
        print(data.attrib, {field.tag: field.text for field in data})`
			},
			{
				language: "C#",
				code: json ? `using System.Text.Json;

using var client = new HttpClient();
var body = await client.GetStringAsync("${url}");
using var answer = JsonDocument.Parse(body);
Console.WriteLine(answer.RootElement);` : `using System.Xml.Linq;

using var client = new HttpClient();
var body = await client.GetStringAsync("${url}");
Console.WriteLine(XDocument.Parse(body));`
			},
			{
				language: "JavaScript",
				code: json ? `const response = await fetch('${url}')
console.log(await response.json())` : `const response = await fetch('${url}')
const body = await response.text()
console.log(new DOMParser().parseFromString(body, 'application/xml'))`
			}
		];
	}
	// src/explorer/tabs.ts
	/**
	* Shows one of several panels, as the ARIA practices have tabs: arrow keys, Home and End move between them.
	* @param id begins the ids of all that is made
	*/
	function showTabs(place, id, tabs, first, chosen = () => {}) {
		const label = place.getAttribute("data-label") ?? "";
		const buttons = tabs.map(({ name }, at) => element("button", {
			type: "button",
			role: "tab",
			id: `${id}-tab-${at}`,
			"aria-controls": `${id}-panel-${at}`
		}, name));
		tabs.forEach(({ panel }, at) => {
			panel.id = `${id}-panel-${at}`;
			panel.setAttribute("role", "tabpanel");
			panel.setAttribute("aria-labelledby", `${id}-tab-${at}`);
		});
		function choose(chosenAt, focus) {
			buttons.forEach((button, at) => {
				button.setAttribute("aria-selected", String(at === chosenAt));
				button.tabIndex = at === chosenAt ? 0 : -1;
				const panel = tabs[at]?.panel;
				if (panel !== void 0) panel.hidden = at !== chosenAt;
			});
			if (focus) buttons[chosenAt]?.focus();
			chosen(tabs[chosenAt]?.name ?? "");
		}
		const list = element("div", {
			role: "tablist",
			"aria-label": label
		}, ...buttons);
		buttons.forEach((button, at) => {
			button.addEventListener("click", () => choose(at, false));
		});
		list.addEventListener("keydown", (event) => {
			const at = buttons.findIndex(({ id }) => id === document.activeElement?.id);
			const last = buttons.length - 1;
			const next = {
				ArrowRight: at === last ? 0 : at + 1,
				ArrowLeft: at === 0 ? last : at - 1,
				Home: 0,
				End: last
			};
			const to = Object.entries(next).find(([key]) => key === event.key)?.[1];
			if (at === -1 || to === void 0) return;
			event.preventDefault();
			choose(to, true);
		});
		place.replaceChildren(list, ...tabs.map(({ panel }) => panel));
		choose(Math.max(0, tabs.findIndex(({ name }) => name === first)), false);
	}
	// src/explorer/main.ts
	const events = readEvents();
	const graphiql = document.getElementById("graphiql") !== null;
	const form = createForm(events, lookUpAnew);
	const status = byId("status", HTMLElement);
	let language = "curl";
	let going = new AbortController();
	/** Looks up what the form holds. The browser's way back leads to what was looked up before. */
	function lookUpAnew() {
		const address = `#${form.query()}`;
		if (location.hash !== address) history.pushState(null, "", address);
		lookUp(form.query());
	}
	async function lookUp(query) {
		going.abort();
		going = new AbortController();
		const { signal } = going;
		say("Looking up …");
		const explained = await askExplanation(query, signal);
		if (signal.aborted) return;
		if ("refusal" in explained) {
			byId("became", HTMLElement).replaceChildren(problem(explained.refusal));
			byId("came", HTMLElement).replaceChildren(problem(explained.refusal));
			say(explained.refusal, true);
			return;
		}
		const { format } = explained.request;
		const [asked, other] = await Promise.all([askLegacy(query, signal), askLegacy(inFormat(query, format === "JSON" ? "XML" : "JSON"), signal)]);
		if (signal.aborted) return;
		const [json, xml] = format === "JSON" ? [asked, other] : [other, asked];
		const event = events.find(({ name }) => name === explained.request.event);
		showExplanation(explained, graphiql);
		showTabs(byId("came", HTMLElement), "came", [{
			name: "JSON",
			panel: answerPanel("JSON", json, event)
		}, {
			name: "XML",
			panel: answerPanel("XML", xml, event)
		}], format);
		showSnippets(query, format);
		showFields(explained.request.event);
		showService(explained);
		const { answer, error, request } = explained;
		if (error === null) say(`${answer.found} of ${request.values.length} found.`);
		else say(`${error.code}: ${error.message}`, true);
	}
	function say(text, bad = false) {
		status.textContent = text;
		status.className = bad ? "bad" : "";
	}
	function showSnippets(query, format) {
		const url = new URL(`?${query}`, location.href).href;
		const tabs = snippetsFor(url, format).map(({ language: name, code }) => {
			const shown = element("pre", {
				tabindex: "0",
				"aria-label": name
			}, code);
			return {
				name,
				panel: element("div", { class: "panel" }, shown, element("p", { class: "actions" }, copyButton("code", code, shown)))
			};
		});
		showTabs(byId("snippets", HTMLElement), "snippets", tabs, language, (name) => {
			language = name;
		});
	}
	function showFields(name) {
		const event = events.find((known) => known.name === name) ?? events[0];
		byId("fields-of", HTMLElement).textContent = event?.name ?? "";
		const fields = event?.fields ?? [];
		byId("fields", HTMLElement).replaceChildren(rows(fields.map(({ name, type, description, inXml }) => [
			name,
			type,
			[description, inXml].filter(Boolean).join(" ")
		])));
	}
	function showService({ service: { version, store, ready, users, apps } }) {
		const number = (counted) => counted === null ? "an unknown number of" : `${counted.exact ? "" : "more than "}${counted.count.toLocaleString("en")}`;
		const kind = (/* @__PURE__ */ new Map([["sqlite", "SQLite"], ["postgres", "PostgreSQL"]])).get(store) ?? store;
		const rows = `${number(users)} users · ${number(apps)} apps`;
		byId("service", HTMLElement).textContent = `Version ${version} · ${ready ? `${kind} answers · ${rows}` : `${kind} does not answer`}`;
	}
	/** Looks up what the address of the page holds, or what the form starts with. */
	function start() {
		const query = location.hash.replace(/^#\??/, "");
		if (query !== "") form.show(query);
		else history.replaceState(null, "", `#${form.query()}`);
		lookUp(form.query());
	}
	addEventListener("popstate", start);
	start();
})();
