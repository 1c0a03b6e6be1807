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
				code: `import ${json ? "json" : "xml.etree.ElementTree as ElementTree"}
from urllib.error import HTTPError
from urllib.request import urlopen

try:
    with urlopen('${url}') as response:
        ${json ? "print(json.load(response))" : "ElementTree.dump(ElementTree.parse(response))"}
except HTTPError as refusal:
    print(refusal.read().decode())`
			},
			{
				language: "C#",
				code: `${json ? "using System.Text.Json;" : "using System.Xml.Linq;"}

using var client = new HttpClient();
using var response = await client.GetAsync("${url}");
var body = await response.Content.ReadAsStringAsync();
Console.WriteLine(${json ? "JsonDocument.Parse(body).RootElement" : "XDocument.Parse(body)"});`
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
	* @param chosen is told which one is shown, at once and whenever that changes
	*/
	function showTabs(place, id, tabs, first, chosen) {
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
	// src/explorer/about-view.ts
	/** The language that was looked at last. */
	let language = "curl";
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
	function showFields({ name, fields }) {
		byId("fields-of", HTMLElement).textContent = name;
		const lines = fields.map(({ name, type, description, inXml = "" }) => {
			return [
				name,
				type,
				`${description} ${inXml}`.trim()
			];
		});
		byId("fields", HTMLElement).replaceChildren(rows(lines));
	}
	const stores = {
		sqlite: "SQLite",
		postgres: "PostgreSQL",
		"old-service": "The old service"
	};
	function showService({ version, store, ready, users, apps }) {
		const number = (counted) => counted === null ? "any number of" : `${counted.exact ? "" : "at least "}${counted.count.toLocaleString("en")}`;
		const kind = stores[store] ?? store;
		const state = ready ? `answers · ${number(users)} users · ${number(apps)} apps` : "does not answer";
		byId("service", HTMLElement).textContent = `Version ${version} · ${kind} ${state}`;
	}
	// src/explorer/notes.ts
	const habits = {
		JSON: [[/(?<!\\)(?:\\\\)*\\u/, "What is beyond ASCII came as \\u and a number, as PHP writes it: see the raw bytes."], [/\\\//, "A slash came as \\/, as PHP writes it, and means the same: see the raw bytes."]],
		XML: [[/&#xFFFD;/, "This is U+FFFD, which also stands for characters that XML cannot carry. JSON has them unharmed."], [/&#/, "What is beyond ASCII, and some line ends, came as numbers: see the raw bytes."]]
	};
	const emptyData = "A value that matches nothing is an empty Data element, where JSON has null (LEGACY_UNKNOWN).";
	/** What is particular about an answer. */
	function notesOn(format, body, fields) {
		const texts = [];
		const ofElement = /* @__PURE__ */ new Map();
		if (format === "XML") {
			for (const { name, inXml } of fields) {
				if (inXml === void 0 || !new RegExp(`<${name}[/>]`).test(body)) continue;
				ofElement.set(name, texts.push(`${name}: ${inXml}`));
			}
			if (/<Data [^>]*\/>/.test(body)) ofElement.set("Data", texts.push(emptyData));
		}
		const noted = habits[format].filter(([pattern]) => pattern.test(body)).map(([pattern, explanation]) => [pattern, texts.push(explanation)]);
		return {
			texts,
			ofElement,
			ofText: (raw) => noted.find(([pattern]) => pattern.test(raw))?.[1]
		};
	}
	/** A token's note, where there is one. */
	function noted(note) {
		return note === void 0 ? {} : { note };
	}
	// src/explorer/token.ts
	/** Characters that nobody sees, or that turn the text around them; those that join letters and emoji are needed. */
	const hidden = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;
	/** A text as it can be shown: what would be hidden, or play tricks on the reader, is there by its number. */
	function visible(text) {
		return text.replace(hidden, (character) => {
			const number = (character.codePointAt(0) ?? 0).toString(16);
			return number.length > 4 ? `\\u{${number}}` : `\\u${number.padStart(4, "0")}`;
		});
	}
	/** `visible`, but for the ends of lines. */
	function visibleLines(text) {
		return text.split("\n").map(visible).join("\n");
	}
	// src/explorer/format-json.ts
	const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
	/**
	* Lays JSON out over lines. It is never parsed as a whole: JavaScript would put keys like numbers in another order, and
	* round long ones. Texts are shown decoded.
	* @throws SyntaxError where it is no JSON
	*/
	function formatJson(body, { ofText }) {
		JSON.parse(body);
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
				kind: next === ":" ? "name" : "string",
				...noted(ofText(piece))
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
	const tag = /^<([^\s/>]+)((?:\s.*?)?)(\/?>|\?>)$/s;
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
	* @throws SyntaxError where its elements do not fit into each other
	*/
	function formatXml(body, { ofElement, ofText }) {
		const tokens = [];
		const open = [];
		let afterText = false;
		const line = () => {
			if (tokens.length > 0) tokens.push({
				text: `\n${"  ".repeat(open.length)}`,
				kind: "plain"
			});
		};
		for (const part of body.match(piece) ?? []) if (!part.startsWith("<")) {
			if (open.length === 0) continue;
			const note = ofElement.get(open.at(-1) ?? "") ?? ofText(part);
			tokens.push({
				text: decoded(part),
				kind: "string",
				...noted(note)
			});
			afterText = true;
		} else if (part.startsWith("</")) {
			if (`</${open.pop()}>` !== part) throw new SyntaxError(`${part} ends nothing`);
			if (!afterText) line();
			tokens.push({
				text: part,
				kind: "name"
			});
			afterText = false;
		} else {
			const [, name, attributes = "", end = ""] = tag.exec(part) ?? [];
			if (name === void 0) throw new SyntaxError(`${part} is no element`);
			const closes = end !== ">";
			line();
			tokens.push({
				text: `<${name}`,
				kind: "name",
				...closes ? noted(ofElement.get(name)) : {}
			});
			if (attributes !== "") tokens.push({
				text: decodedAttributes(attributes),
				kind: "string",
				...noted(ofText(attributes))
			});
			tokens.push({
				text: end,
				kind: "name"
			});
			if (!closes) open.push(name);
			afterText = false;
		}
		if (open.length > 0) throw new SyntaxError(`${open.at(-1)} does not end`);
		return tokens;
	}
	function decoded(text) {
		return visible(text.replace(reference, (whole, hex, decimal, name) => {
			if (name !== void 0) return named[name] ?? whole;
			return String.fromCodePoint(hex === void 0 ? Number(decimal) : Number.parseInt(hex, 16));
		}));
	}
	/** A quotation mark stays what it came as: bare, it would seem to end the value. */
	function decodedAttributes(text) {
		return text.split("&quot;").map(decoded).join("&quot;");
	}
	// src/explorer/answer-view.ts
	/** Longer answers are shown as they are: laying them out would keep the page from answering. */
	const LONGEST = 262144;
	/** How the body of a refusal begins: its status may be 200 (LEGACY_ERROR_STATUS). */
	const refusal = {
		JSON: /^\{"Error":\{"Code":"/,
		XML: /^<\?xml[^>]*>\s*<\w+><Error>/
	};
	/** What came back in one format. */
	function answerPanel(format, received, event) {
		if (received === null) return element("div", { class: "panel" }, problem("The gateway does not answer."));
		const { status, body, headers, took } = received;
		const ok = status < 400 && !refusal[format].test(body);
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
		if (body.length > LONGEST) return [faint("Too long to be laid out: these are the raw bytes."), raw];
		let tokens;
		try {
			tokens = format === "JSON" ? formatJson(body, notes) : formatXml(body, notes);
		} catch {
			return [faint(`This is no ${format}: these are the raw bytes.`), raw];
		}
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
	function faint(text) {
		return element("p", { class: "faint" }, text);
	}
	// src/explorer/explanation-view.ts
	/** A gateway refuses addresses beyond 64 KiB. */
	const LONGEST_LINK = 6e4;
	/** Shows what a legacy request became: on the left. */
	function showExplanation(explained, graphiql) {
		byId("became", HTMLElement).replaceChildren(parsedRequest(explained), ...operation(explained, graphiql), ...dialect(explained), timings(explained));
	}
	function parsedRequest({ request, answer, error }) {
		const list = (values) => element("span", { class: "values" }, ...values.map((value) => element("code", {}, visible(value))));
		const given = request.parameters.map(({ name, value, known }) => known ? `${name} = ${value}` : `${name} = ${value} (ignored)`);
		return rows([
			["Event", request.event ?? "none"],
			["Format", request.format],
			["Parameters", element("code", { class: "lines" }, given.map(visible).join("\n") || "–")],
			["Values", list(request.values)],
			...error === null ? [["Found", `${answer.found} of ${request.values.length}`], ...answer.missing.length > 0 ? [["Match nothing", list(answer.missing)]] : []] : [["Refused", visible(`${error.code}: ${error.message}`)]]
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
		const link = graphiql ? [graphiqlLink(operation)] : [];
		return [
			element("h3", {}, "GraphQL operation"),
			query,
			element("h3", {}, "Variables"),
			shown,
			element("p", { class: "actions" }, copyButton("operation", operation.query, query), ...link)
		];
	}
	function graphiqlLink({ query, variables }) {
		const address = (space) => `graphql?${new URLSearchParams({
			query,
			variables: JSON.stringify(variables, null, space)
		})}`;
		const href = address(2).length > LONGEST_LINK ? address(0) : address(2);
		return href.length > LONGEST_LINK ? element("span", { class: "faint" }, "Too long for a link to GraphiQL.") : element("a", { href }, "Open in GraphiQL");
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
	/** The first line of a request, alone or in a web server's log. */
	const requestLine = /(?:^|")(?:[A-Z]+ (\S+) HTTP\/\d|(?:GET|HEAD) (\S+))/;
	/** An address with a query between quotation marks, as in a program. */
	const quoted = /(['"])((?:https?:\/)?\/[^\s'"]*\?[^\s'"]*)\1/;
	/** A query string begins with a name. */
	const parameter = /^[\w%.-]+=/;
	/** Whatever may not stand in a URL's query as it is, or would have to be quoted in a shell or a program. */
	const unsafe = /[^\w\-.~:%&=+*!(),;/?@]/gu;
	/**
	* The query string within what someone pasted: a whole URL, a target, a line of a log or of a program, or the query string
	* itself. Characters that a URL cannot hold are encoded; everything else stays as it is, what is wrong with it included.
	*/
	function queryWithin(pasted) {
		const text = pasted.trim();
		const [, versioned, bare] = requestLine.exec(text) ?? [];
		const [beforeFragment = ""] = (versioned ?? bare ?? quoted.exec(text)?.[2] ?? text).split("#", 1);
		if (parameter.test(beforeFragment)) return encodeQuery(beforeFragment);
		const mark = beforeFragment.indexOf("?");
		if (mark !== -1) return encodeQuery(beforeFragment.slice(mark + 1));
		return /^(?:\w+:)?\/|^$/.test(beforeFragment) ? "" : encodeQuery(beforeFragment);
	}
	function encodeQuery(query) {
		return query.toWellFormed().replace(unsafe, (character) => character === "'" ? "%27" : encodeURIComponent(character));
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
	/** The format that a query string seems to ask for. */
	function formatOf(query) {
		return readQuery(query).get("Format") === "XML" ? "XML" : "JSON";
	}
	/** The same request in another format; `null` where what is wrong with it is its format. */
	function inFormat(query, format) {
		const isFormat = (part) => new URLSearchParams(part).has("Format");
		const parts = query.split("&").filter((part) => part !== "");
		const given = parts.filter(isFormat).map((part) => new URLSearchParams(part).get("Format") ?? "");
		if (given.length > 1 || !given.every((value) => /^(?:|json)$/i.test(value) || value === "XML")) return null;
		return [...parts.filter((part) => !isFormat(part)), ...format === "XML" ? ["Format=XML"] : []].join("&");
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
		event.append(...optionsFor(events.map(({ name }) => name)));
		const chosen = () => events.find(({ name }) => name === event.value);
		/** @param given what a request holds; where it is being picked, each parameter begins with its example */
		function makeControls(given) {
			controls.clear();
			byId("description", HTMLElement).textContent = chosen()?.description ?? "";
			parameters.replaceChildren();
			for (const { name, description, allowed, example } of chosen()?.parameters ?? []) {
				const control = allowed === void 0 ? element("input", {
					autocomplete: "off",
					spellcheck: "false"
				}) : element("select", {}, ...optionsFor(allowed));
				if (control instanceof HTMLSelectElement) choose(control, given?.get(name) || (allowed?.[0] ?? ""));
				else control.value = given === null ? example : given.get(name) ?? "";
				control.id = `parameter-${name}`;
				control.setAttribute("aria-describedby", `about-${name}`);
				controls.set(name, control);
				const label = element("label", { for: control.id }, name);
				const about = element("small", { id: `about-${name}` }, description);
				parameters.append(element("div", {}, label, control, about));
			}
		}
		function writeRequest() {
			const picked = chosen()?.parameters.flatMap(({ name, allowed }) => {
				const value = controls.get(name)?.value ?? "";
				return value === allowed?.[0] ? [] : [[name, value]];
			});
			const asked = [["Event", event.value], ...picked ?? []];
			const named = format.value === "JSON" ? asked : [...asked, ["Format", format.value]];
			request.value = `/?${writeQuery(named)}`;
		}
		function showInControls(query) {
			const given = readQuery(query);
			choose(event, given.get("Event") ?? "");
			choose(format, given.get("Format") || "JSON");
			makeControls(given);
		}
		event.addEventListener("change", () => {
			makeControls(null);
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
		makeControls(null);
		writeRequest();
		return {
			query: () => queryWithin(request.value),
			show: (query) => {
				request.value = `/?${query}`;
				showInControls(query);
			}
		};
	}
	function optionsFor(values) {
		return values.map((value) => element("option", { value }, value));
	}
	/** Chooses a value, with an option of its own where there is none: what is wrong in a request shows here, too. */
	function choose(control, value) {
		control.querySelector("[data-unknown]")?.remove();
		if (!Array.from(control.options).some((option) => option.value === value)) control.append(element("option", {
			value,
			"data-unknown": ""
		}, visible(value) || "none"));
		control.value = value;
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
		performance.clearResourceTimings();
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
				took: timeOf(response.url, started) ?? performance.now() - started
			};
		} catch {
			return null;
		}
	}
	/** Milliseconds from the request to the end of its answer, as the browser has timed it; it may not have. */
	function timeOf(url, since) {
		const entry = performance.getEntriesByName(url).findLast(({ startTime }) => startTime >= since);
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
	// src/explorer/main.ts
	const events = readEvents();
	const graphiql = document.getElementById("graphiql") !== null;
	const form = createForm(events, lookUpAnew);
	const status = byId("status", HTMLElement);
	/** The format that was asked for last, and the one that was looked at since. */
	let shown = {
		asked: "",
		looked: ""
	};
	let going = new AbortController();
	/** Looks up what the form holds. The browser's way back leads to what was looked up before. */
	function lookUpAnew() {
		const address = addressOf(form.query());
		if (location.hash !== address) history.pushState(null, "", address);
		lookUp(form.query());
	}
	/** An address without anything would be that of the page as it starts. */
	function addressOf(query) {
		return `#${query === "" ? "?" : query}`;
	}
	async function lookUp(query) {
		going.abort();
		going = new AbortController();
		const { signal } = going;
		say("Looking up …");
		showSnippets(query, formatOf(query));
		const event = events.find(({ name }) => name === readQuery(query).get("Event")) ?? events[0];
		if (event !== void 0) showFields(event);
		const explained = await askExplanation(query, signal);
		if (signal.aborted) return;
		if ("refusal" in explained) {
			byId("became", HTMLElement).replaceChildren(problem(explained.refusal));
			byId("came", HTMLElement).replaceChildren(problem(explained.refusal));
			say(explained.refusal, true);
			return;
		}
		await showAnswers(query, explained, signal);
		if (signal.aborted) return;
		showExplanation(explained, graphiql);
		showService(explained.service);
		const { answer, error, request } = explained;
		if (error === null) say(`${answer.found} of ${request.values.length} found.`);
		else say(`${error.code}: ${error.message}`, true);
	}
	/** What comes back in the format that was asked for, and in the other one where the request allows for another. */
	async function showAnswers(query, { request }, signal) {
		const { format } = request;
		const event = events.find(({ name }) => name === request.event);
		const asked = ["JSON", "XML"].flatMap((name) => {
			const own = name === format ? query : inFormat(query, name);
			return own === null ? [] : [{
				name,
				answer: askLegacy(own, signal)
			}];
		});
		const tabs = [];
		for (const { name, answer } of asked) tabs.push({
			name,
			panel: answerPanel(name, await answer, event)
		});
		if (signal.aborted) return;
		if (shown.asked !== format) shown = {
			asked: format,
			looked: format
		};
		showTabs(byId("came", HTMLElement), "came", tabs, shown.looked, (name) => {
			shown.looked = name;
		});
	}
	function say(text, bad = false) {
		status.textContent = visible(text);
		status.className = bad ? "bad" : "";
	}
	/** Looks up what the address of the page holds, or what the form starts with. */
	function start() {
		if (location.hash === "") history.replaceState(null, "", addressOf(form.query()));
		else form.show(queryWithin(location.hash.slice(1)));
		lookUp(form.query());
	}
	addEventListener("popstate", start);
	start();
})();
