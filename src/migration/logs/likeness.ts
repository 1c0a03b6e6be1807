// Whether a line that was not read may have been a request or a lookup. A replay proves too much if a lookup
// is missed here.

/** nginx and Apache repeat a request in their error logs. */
const errorLine =
  /\d\d:\d\d:\d\d \[(?:warn|error|crit|alert|emerg)\] \d+#|\] \[\w{1,20}:(?:warn|error|crit|alert|emerg)\] \[pid /

/** Names of the parameters of a lookup; some programs write `=` as `%3D` or as `\u003d`. */
const parameter = /(?<![A-Za-z_])(?:[Ee][Vv][Ee][Nn][Tt]|Users|Apps)(?:=|%3[Dd]|\\u003[Dd])|%45vent=/

/** A lookup in any notation: `Event=AppLookup`, also encoded, or `"Event":"AppLookup"` of JSON. */
const lookup = /event(?:=|%3d|\\u003d|["'\\]{0,4}\s?[:=]\s?["'\\]{0,4})(?:profile|app)lookup/i

export function hasLookup(text: string): boolean {
  return lookup.test(text)
}

export function looksLikeLookup(line: string): boolean {
  return (parameter.test(line) || lookup.test(line)) && !errorLine.test(line)
}

/** journalctl leaves out fields over 4 KB without --all, and texts that cannot be printed. */
const leftOut = /"MESSAGE" ?: ?null|\[[\d.]+[KMG]?B? blob data\]\s*$/

export function looksLikeRequest(line: string): boolean {
  const isLikely = line.includes('HTTP/') && /\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /.test(line)
  return looksLikeLookup(line) || leftOut.test(line) || (isLikely && !errorLine.test(line))
}
