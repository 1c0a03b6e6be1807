// The formats that the reader knows, in the order in which it tries them. To add one, add a row, and lines of
// it to formats.test.ts. A regex must take time linear in the length of a line: clients choose their targets.

import { isIP } from 'node:net'
import { inJson, json, jsonWithoutMethod } from './json.ts'
import { type FieldsOfMatch, pairsFormat, patternFormat } from './pattern.ts'
import { addressIn, type LogFormat } from './request.ts'
import { w3c } from './w3c.ts'
import { prefixes } from './wrappers.ts'

/** A text in quotes, which may have quotes after a backslash. Unrolled: no text is tried in two ways. */
const quoted = (name: string) => String.raw`"(?<${name}>[^"\\]*(?:\\.[^"\\]*)*)"`
const request = quoted('request')
/** A line that was cut off may precede another. */
const second = String.raw`\[[^[\]]{1,40}\] "[A-Z]{1,20} `
/** Apache and Traefik write `-` as the status if the client left before there was one. */
const responded = String.raw`${request} (?:\d{3}|-) \S+(?:(?: [^\s"]\S{0,100}){0,4}? ${quoted('referer')} ${quoted('userAgent')})?`
const inBrackets = String.raw`\[(?<time>[^[\]]{1,40})\]`
const ipv6 = String.raw`(?=[\da-fA-F]*:[\da-fA-F]*:)[\da-fA-F:.]{2,45}`
/** An address or a host name. `access.log:203.0.113.9` is none: grep has put a file name before it. */
const address = String.raw`(?<address>[A-Za-z\d][\w.-]{0,252}|${ipv6}(?:%\w{1,15})?|[\d.]{7,15}:\d{1,5}|\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?)`
/** Apache's vhost_combined begins with a host. The last common format reads two addresses. */
const host = String.raw`(?:(?![\da-fA-F:.,]+ )[^\s"]{1,300} )??`
const isoTime = String.raw`(?<time>\d{4}-\d\d-\d\dT[\d:.]{8,20}Z)`
const cTime = String.raw`\[(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})\]`
const method = '(?<method>[A-Z]{1,20})'

/**
 * HAProxy's times have no zone: they are of the zone of the server. It cuts targets (tune.http.logurilen):
 * these lack the protocol.
 */
const haproxyLine = String.raw`(?<![^ ])(?<address>[\d.]{7,15}|${ipv6}|[A-Za-z]\w{0,60}):\d{1,5} \[(?<time>\d\d\/[A-Za-z]{3}\/\d{4}:\d\d:\d\d:\d\d\.\d{3})\] \S+ \S+ [-+\d/]+ -?\d+ [-+\d]+ \S+ \S+ \S{4} [+\d/]+ [\d/]+ (?<captures>(?:\{[^}]*\} ){0,2})"(?<request>[^"]* HTTP\/\d(?:\.\d)?|<BADREQ>)"`

/** `#22` is a quote. */
function unescapedByHaproxy(text: string): string {
  if (!text.includes('#')) return text
  return text.replace(/#([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * Only HAProxy's configuration says which headers are captured. A URL counts as the Referer, and a product
 * with its version as the User-Agent.
 */
const fieldsOfHaproxy: FieldsOfMatch = ({ captures = '', ...groups }) => {
  const texts = captures === '' ? [] : captures.split(/[{}|]/)
  return {
    ...groups,
    userAgent: texts.find((text) => /^[^\s/:,;=]{1,80}\/\S/.test(text)),
    referer: texts.find((text) => /^https?:\/\//.test(text)),
  }
}

const loadBalancer = String.raw`^(?:[a-z0-9]{1,8} )?${isoTime} \S+ (?<address>\S+)(?: \S+){8} ${request}(?: ${quoted('userAgent')})?`
/** Istio writes two reasons and a text more. */
const envoyLine = String.raw`^\[${isoTime}\] ${request} \d{1,3} \S+(?: \S+ \S+ "[^"]{0,500}")? \d+ \d+ \d+ \S+ ${quoted('forwarded')} ${quoted('userAgent')} "`

const s3Line = String.raw`^\S+ \S+ ${inBrackets} (?<address>\S+) \S+ \S+ [A-Z]+\.[\w.]+ \S+ ${request} (?:\d{3}|-)(?: \S+){5} ${quoted('referer')} ${quoted('userAgent')}`
/** `time:22/Nov/2026:13:55:36 +0100`, then others after tabs. */
const ltsvLine = /^[\w.-]{1,60}:[^\t]*(?:\t[\w.-]{1,60}:[^\t]*)+$/
const ltsvPair = /(?<![^\t])([\w.-]{1,60}):([^\t]*)/g

/** Servers that escape nothing. */
const plain = { decode: (text: string) => text }

/** The most specific formats come first. A line of another format may match the last ones. */
export const formats: readonly LogFormat[] = [
  json,
  w3c,
  patternFormat('AWS load balancer', loadBalancer),
  patternFormat('Amazon S3', s3Line),
  pairsFormat('LTSV', ltsvLine, ltsvPair),
  patternFormat('HAProxy', haproxyLine, { decode: unescapedByHaproxy, fieldsOf: fieldsOfHaproxy }),
  patternFormat(
    'common or combined format',
    String.raw`^${host}${address} \S+ \S+ ${inBrackets} ${responded}`,
  ),
  patternFormat('Envoy', envoyLine, plain),
  patternFormat('uvicorn', String.raw`^INFO: +(?<address>\S{1,60}) - ${request} \d{3}`, plain),
  patternFormat(
    "PHP's own server",
    String.raw`^${cTime} (?<address>\S{1,60}) \[\d{3}\]: (?:${method} )?(?<target>\/.*?)(?: - [A-Z].*)?$`,
    plain,
  ),
  patternFormat(
    'uWSGI',
    String.raw`\] (?<address>\S{1,60}) \([^)]{0,100}\) \{[^}]{0,100}\} ${cTime} ${method} (?<target>\S+) => `,
    plain,
  ),
  patternFormat(
    'Squid',
    String.raw`^(?<time>\d{9,10}\.\d{3}) +\d+ (?<address>\S{1,60}) \w+\/\d{3} \d+ ${method} (?<target>\S+) \S+ \w+\/\S+ `,
    plain,
  ),
  inJson,
  ...prefixes,
  patternFormat(
    'common or combined format',
    `^(?<address>(?:(?!${second}).){0,500}?)${inBrackets} ${responded}`,
    // The text before the time may be anything: only an address in it is one.
    { fieldsOf: (groups) => ({ ...groups, address: addressOrNone(groups.address) }) },
  ),
  jsonWithoutMethod,
  pairsFormat(
    'logfmt',
    /(?<![^ ])(?:method|verb)="?[A-Z]/i,
    /(?<![^ ])([\w.@-]{1,60})=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/g,
  ),
  patternFormat(
    'request lines with a status',
    String.raw`^${method} (?<target>\S+)(?: HTTP\/\d(?:\.\d)?)? \d{3} `,
    plain,
  ),
  patternFormat(
    'request targets',
    String.raw`^(?:${method} )?(?<target>(?:\/|\?|https?:\/\/)\S*)(?: HTTP\/\d(?:\.\d)?)?\s*$`,
    plain,
  ),
]

function addressOrNone(text = ''): string {
  const address = addressIn(text)
  return isIP(address) === 0 ? '' : address
}
