// Kinds of settings: which texts a setting allows, how messages describe these texts, and how they are
// parsed.

import { isIP } from 'node:net'
import { splitList } from './lists.ts'
import {
  allowedHeaders,
  headerName,
  linesOf,
  parseServiceUrl,
  readHeaders,
  type ServiceHeaders,
} from './old-service.ts'

export interface Setting<Value = unknown> {
  /** The environment variable. */
  readonly name: string
  /** In the spelling of an operator; `null` for none. */
  readonly default: string | null
  /** The parsed `default`. */
  readonly fallback: Value
  readonly allowed: string
  readonly purpose: string
  /** Whether the text may have a password or a key: NAME_FILE may name a file that contains it. */
  readonly isSecret: boolean
  /** Returns `undefined` if the text is not allowed. */
  readonly parse: Parse<Value>
  /** Says why a text is not allowed, without quoting secrets. */
  readonly explain?: (text: string) => string
}

type Parse<Value> = (text: string) => Value | undefined

/** A table of settings. Its values have the same structure. */
export interface SettingGroup {
  readonly [key: string]: Setting | SettingGroup
}

export type SettingValues<Part> =
  Part extends Setting<infer Value> ? Value : { readonly [Key in keyof Part]: SettingValues<Part[Key]> }

/** The settings of a table, in its order. */
export function settingsIn(group: SettingGroup): readonly Setting[] {
  return Object.values(group).flatMap((part) => (isSetting(part) ? [part] : settingsIn(part)))
}

/** Reads the settings in the order of the table. @returns frozen objects */
export function readGroup<Part extends SettingGroup>(
  group: Part,
  read: <Value>(setting: Setting<Value>) => Value,
): SettingValues<Part> {
  const entries = Object.entries(group)
  const values = entries.map(([key, part]) => [key, isSetting(part) ? read(part) : readGroup(part, read)])
  // The type of Object.fromEntries does not relate keys and values. Each key of the table is a key of the
  // result.
  return Object.freeze(Object.fromEntries(values)) as SettingValues<Part>
}

function isSetting(part: Setting | SettingGroup): part is Setting {
  return typeof part.parse === 'function'
}

const describable = <Value>(setting: Omit<Setting<Value>, 'purpose' | 'isSecret'>) => ({
  describe: (purpose: string): Setting<Value> => ({ ...setting, purpose, isSecret: false }),
  describeSecret: (purpose: string): Setting<Value> => ({ ...setting, purpose, isSecret: true }),
})

export function setting<Value>(name: string, byDefault: string, allowed: string, parse: Parse<Value>) {
  const fallback = parse(byDefault)
  if (fallback === undefined) throw new Error(`${name} cannot be "${byDefault}", its own default`)
  return describable({ name, default: byDefault, fallback, allowed, parse })
}

export function optional<Value>(name: string, allowed: string, parse: Parse<Value>) {
  return describable<Value | null>({ name, default: null, fallback: null, allowed, parse })
}

/** @param read returns the reason if a text is not allowed, without quoting secrets */
export function explained<Value extends object>(
  name: string,
  fallback: Value,
  allowed: string,
  read: (text: string) => Value | string,
  byDefault: string | null = null,
) {
  const parse = (text: string) => {
    const value = read(text)
    return typeof value === 'string' ? undefined : value
  }
  const explain = (text: string) => String(read(text))
  return describable({ name, default: byDefault, fallback, allowed, parse, explain })
}

/** Texts between commas; none by default. */
export function list(
  name: string,
  allowed: string,
  isAllowed: (element: string) => boolean,
  split = splitList,
) {
  const parse = (text: string): readonly string[] | undefined => {
    const elements = split(text)
    return elements.every(isAllowed) ? elements : undefined
  }
  return describable({ name, default: null, fallback: [], allowed, parse })
}

export function oneOf<const Choice extends string>(
  name: string,
  byDefault: Choice,
  choices: readonly Choice[],
) {
  return setting(name, byDefault, choices.join(', '), (text) => choices.find((choice) => choice === text))
}

export function onOff(name: string, byDefault: 'on' | 'off' = 'on') {
  return setting(name, byDefault, 'on, off', (text) =>
    text === 'on' ? true : text === 'off' ? false : undefined,
  )
}

export function integer(name: string, byDefault: number, min: number, max: number) {
  const allowed = `an integer from ${min} to ${max}`
  return setting(name, String(byDefault), allowed, (text) => parseInteger(text, min, max))
}

export function parseInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export function share(name: string, byDefault: string) {
  return setting(name, byDefault, 'a number from 0 to 1', parseShare)
}

export function parseShare(text: string): number | undefined {
  return /^(?:0|1|[01]?\.\d{1,9}|1\.0+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined
}

export function host(name: string, byDefault: string) {
  const parse = (text: string) => (/^[\w.:%-]+$/.test(text) ? text : undefined)
  return setting(name, byDefault, 'an address or a host name', parse)
}

export function file(name: string, allowed = 'the path of a file') {
  return optional(name, allowed, (text) => (text.includes('\0') ? undefined : text))
}

export function serviceUrl(name: string) {
  const allowed =
    'https://HOST/PATH or https://USER:PASSWORD@HOST/PATH, or the same with http, without a query'
  return optional(name, allowed, parseServiceUrl)
}

export function headers(name: string) {
  const none: ServiceHeaders = {}
  return explained(name, none, allowedHeaders, (text) => readHeaders(linesOf(text)))
}

export function date(name: string) {
  return optional(name, 'a date such as 2027-01-31 or 2027-01-31T12:00:00Z', (text) => {
    if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/.test(text)) return undefined
    const value = new Date(text)
    // JavaScript reads 2027-02-30 as a day in March.
    const isReal = !Number.isNaN(value.getTime()) && value.toISOString().startsWith(text.slice(0, 10))
    return isReal ? value : undefined
  })
}

const headerOfClient = new RegExp(`^header:(${headerName})$`)

/** @returns the header that identifies a client, in lower case; `null` for the address of the client */
export function parseCutoverBy(text: string): { readonly header: string | null } | undefined {
  if (text === 'address') return { header: null }
  const name = headerOfClient.exec(text)?.[1]
  return name === undefined ? undefined : { header: name.toLowerCase() }
}

export function isAddressRange(text: string): boolean {
  if (text === 'loopback') return true
  const [, address = '', bits = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  // A range of all addresses would trust the X-Forwarded-For of any client.
  return family !== 0 && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Paths of the gateway itself, which LEGACY_PATHS cannot have. */
const ownPath = /^\/(?:graphql\/?|explain|live|ready|metrics|schema\/.*)$/
/** A path in a request target: characters beyond ASCII are percent-encoded. */
const sentPath = /^\/(?:[\w.~!$&'()*+;=:@/-]|%[\dA-Fa-f]{2}){0,255}$/

export function parseHealthPath(text: string): string | undefined {
  return sentPath.test(text) && !/^\/(?:graphql\/?|explain|schema\/.*)?$/.test(text) ? text : undefined
}

/** @returns the reason if one of the paths is not allowed */
export function readLegacyPaths(text: string): readonly string[] | string {
  const paths = splitList(text)
  const own = paths.find((path) => ownPath.test(path))
  if (own !== undefined) return `${own} is the gateway's own`
  const isAllowed = paths.every((path) => sentPath.test(path))
  return isAllowed ? [...new Set(paths)] : 'a path begins with / and has no query'
}
