// The kinds of settings: what the text of one may be, in which words that is said, and what it means.

import { isIP } from 'node:net'
import { allowedHeaders, HeaderError, linesOf, readHeaders, type ServiceHeaders } from './old-service.ts'

export interface Setting<Value = unknown, Name extends string = string> {
  /** That of its environment variable. */
  readonly name: Name
  /** As one would write it; `null` where unset means none. */
  readonly default: string | null
  /** What `default` means. */
  readonly fallback: Value
  readonly allowed: string
  readonly purpose: string
  /** Reads the text; `undefined` where it is not allowed. */
  readonly parse: (text: string) => Value | undefined
  /** What is wrong with a text that is not allowed, where there is more to say; shows nothing of it. */
  readonly explain?: (text: string) => string
}

type Parse<Value> = (text: string) => Value | undefined

export function setting<Name extends string, Value>(
  name: Name,
  byDefault: string,
  allowed: string,
  purpose: string,
  parse: Parse<Value>,
): Setting<Value, Name> {
  const fallback = parse(byDefault)
  if (fallback === undefined) throw new Error(`${name} cannot be "${byDefault}", its own default`)
  return { name, default: byDefault, fallback, allowed, purpose, parse }
}

export function optional<Name extends string, Value>(
  name: Name,
  allowed: string,
  purpose: string,
  parse: Parse<Value>,
): Setting<Value | null, Name> {
  return { name, default: null, fallback: null, allowed, purpose, parse }
}

/** None by default. @param isAllowed whether an element is; they stand between commas */
export function list<Name extends string>(
  name: Name,
  allowed: string,
  purpose: string,
  isAllowed: (element: string) => boolean,
  split = (text: string) => text.split(',').map((element) => element.trim()),
): Setting<readonly string[], Name> {
  const parse = (text: string) => {
    const elements = split(text)
    return elements.every(isAllowed) ? elements : undefined
  }
  return { name, default: null, fallback: [], allowed, purpose, parse }
}

export function oneOf<Name extends string, const Choice extends string>(
  name: Name,
  byDefault: Choice,
  choices: readonly Choice[],
  purpose: string,
) {
  return setting(name, byDefault, choices.join(', '), purpose, (text) =>
    choices.find((choice) => choice === text),
  )
}

export function onOff<Name extends string>(name: Name, purpose: string, byDefault: 'on' | 'off' = 'on') {
  return setting(name, byDefault, 'on, off', purpose, (text) =>
    text === 'on' ? true : text === 'off' ? false : undefined,
  )
}

export function integer<Name extends string>(
  name: Name,
  byDefault: string,
  min: number,
  max: number,
  purpose: string,
) {
  return setting(name, byDefault, `an integer from ${min} to ${max}`, purpose, (text) =>
    parseInteger(text, min, max),
  )
}

export function shareOfAll<Name extends string>(name: Name, byDefault: string, purpose: string) {
  return setting(name, byDefault, 'a number from 0 to 1', purpose, parseShare)
}

export function parseShare(text: string): number | undefined {
  return /^(?:0|1|[01]?\.\d{1,9}|1\.0+)$/.test(text) && Number(text) <= 1 ? Number(text) : undefined
}

/** What tells clients apart: the header of this name, in lower case, or their address (`null`). */
export function parseCutoverBy(text: string): { readonly header: string | null } | undefined {
  if (text === 'address') return { header: null }
  const name = /^header:([\w!#$%&'*+.^|~`-]{1,64})$/.exec(text)?.[1]
  return name === undefined ? undefined : { header: name.toLowerCase() }
}

export function parseInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export function matching<Name extends string>(
  name: Name,
  byDefault: string,
  allowed: string,
  purpose: string,
  pattern: RegExp,
) {
  return setting(name, byDefault, allowed, purpose, (text) => (pattern.test(text) ? text : undefined))
}

export function host<Name extends string>(name: Name, byDefault: string, purpose: string) {
  return matching(name, byDefault, 'an address or a host name', purpose, /^[\w.:%-]+$/)
}

export function pathOf<Name extends string>(name: Name, purpose: string) {
  return optional(name, 'the path of a file', purpose, (text) => (text.includes('\0') ? undefined : text))
}

export function headers<Name extends string>(name: Name, purpose: string): Setting<ServiceHeaders, Name> {
  const none: ServiceHeaders = {}
  return explained(name, none, allowedHeaders, purpose, (text) => {
    try {
      return readHeaders(linesOf(text))
    } catch (error) {
      if (error instanceof HeaderError) return error.message
      throw error
    }
  })
}

/** Unset by default. @param read says what is wrong where a text is not allowed, and shows no secret of it */
export function explained<Name extends string, Value extends object>(
  name: Name,
  none: Value,
  allowed: string,
  purpose: string,
  read: (text: string) => Value | string,
): Setting<Value, Name> {
  const parse = (text: string) => {
    const found = read(text)
    return typeof found === 'string' ? undefined : found
  }
  const explain = (text: string) => {
    const found = read(text)
    return typeof found === 'string' ? found : ''
  }
  return { name, default: null, fallback: none, allowed, purpose, parse, explain }
}

export function date<Name extends string>(name: Name, purpose: string) {
  return optional(name, 'a date such as 2027-01-31 or 2027-01-31T12:00:00Z', purpose, (text) => {
    if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?Z)?$/.test(text)) return undefined
    const value = new Date(text)
    // 2027-02-30 would silently become a day in March.
    return !Number.isNaN(value.getTime()) && value.toISOString().startsWith(text.slice(0, 10))
      ? value
      : undefined
  })
}

export function isAddressRange(text: string): boolean {
  if (text === 'loopback') return true
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  // A range of all addresses would believe what any client says of itself.
  return family !== 0 && Number(bits ?? 1) >= 1 && Number(bits ?? 1) <= (family === 4 ? 32 : 128)
}

/** Paths of the gateway itself, which the legacy interface cannot have. */
const ownPath = /^\/(?:graphql\/?|explain|live|ready|metrics|schema\/.*)$/
/** A path as clients send it: characters beyond ASCII are percent-encoded. */
const sentPath = /^\/(?:[\w.~!$&'()*+;=:@/-]|%[\dA-Fa-f]{2}){0,255}$/

/** A path of HEALTH_PATH, where the gateway has nothing else. */
export function parseHealthPath(text: string): string | undefined {
  return sentPath.test(text) && !/^\/(?:graphql\/?|explain|schema\/.*)?$/.test(text) ? text : undefined
}

const splitPaths = (text: string) => text.split(',').map((path) => path.trim())

export const legacyPaths: Setting<readonly string[], 'LEGACY_PATHS'> = {
  ...setting(
    'LEGACY_PATHS',
    '/',
    'paths such as /,/index.php,/api/ (exact, comma-separated)',
    'where legacy requests are answered',
    (text): readonly string[] | undefined => {
      const paths = splitPaths(text)
      return paths.every((path) => sentPath.test(path) && !ownPath.test(path))
        ? [...new Set(paths)]
        : undefined
    },
  ),
  explain: (text: string) => {
    const own = splitPaths(text).find((path) => ownPath.test(path))
    return own === undefined ? 'a path begins with / and has no query' : `${own} is the gateway's own`
  },
}
