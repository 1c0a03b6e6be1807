// Each place of a dialect that can differ from the default: its path, what is allowed there, and how a value is
// read. The check of the file, its JSON Schema and what is written come from this list.

import { choices, type Dialect, defaultDialect, errorKinds } from './dialect.ts'

export type Path = readonly string[]

export interface Place {
  readonly path: Path
  /** For people, such as `"exact" or "any case"`. */
  readonly allowed: string
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly isAllowed: (value: unknown) => boolean
}

type Kind = Omit<Place, 'path'>

function oneOf(values: readonly unknown[]): Kind {
  return {
    allowed: values.map((value) => JSON.stringify(value)).join(', '),
    schema: { enum: values },
    isAllowed: (value) => values.includes(value),
  }
}

function textMatching(pattern: RegExp, allowed: string): Kind {
  return {
    allowed,
    schema: { type: 'string', pattern: pattern.source },
    isAllowed: (value) => typeof value === 'string' && pattern.test(value),
  }
}

const text: Kind = {
  allowed: 'a text',
  schema: { type: 'string' },
  isAllowed: (value) => typeof value === 'string',
}

/** A media type. Its characters are those of a header. */
const mediaType = textMatching(/^[\x20-\x7e]{0,200}$/, 'a Content-Type of at most 200 ASCII characters')

function orNull(kind: Kind): Kind {
  return {
    allowed: `${kind.allowed}, or null`,
    schema: { anyOf: [kind.schema, { type: 'null' }] },
    isAllowed: (value) => value === null || kind.isAllowed(value),
  }
}

const isStatus = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && (value === 200 || (value >= 400 && value <= 599))
const status: Kind = {
  allowed: '200, or a status from 400 to 599',
  schema: { anyOf: [{ const: 200 }, { type: 'integer', minimum: 400, maximum: 599 }] },
  isAllowed: isStatus,
}

/** JSON Schema of a recorded reply, which `#/$defs/reply` refers to. */
export const replySchema = {
  type: 'object',
  required: ['status', 'type', 'body'],
  additionalProperties: false,
  properties: { status: status.schema, type: mediaType.schema, body: text.schema },
}

const recordedReply: Kind = {
  allowed: `an object of status (${status.allowed}), type (${mediaType.allowed}) and body (${text.allowed})`,
  schema: { $ref: '#/$defs/reply' },
  isAllowed: (value) => {
    if (!isObject(value) || Object.keys(value).length !== 3) return false
    return isStatus(value.status) && mediaType.isAllowed(value.type) && text.isAllowed(value.body)
  },
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldList(names: readonly string[]): Kind {
  return {
    allowed: `a list of ${names.join(', ')}, each at most once`,
    schema: { type: 'array', items: { enum: names }, uniqueItems: true, minItems: 1 },
    isAllowed: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((name) => names.includes(name)),
  }
}

const subjects = ['users', 'apps'] as const
const formats = ['json', 'xml'] as const

function forEach(name: string, kindOf: (subject: 'users' | 'apps', format: 'json' | 'xml') => Kind): Place[] {
  return subjects.flatMap((subject) =>
    formats.map((format) => ({ path: [name, subject, format], ...kindOf(subject, format) })),
  )
}

export const places: readonly Place[] = [
  {
    path: ['serviceName'],
    ...textMatching(/^[A-Za-z_][\w-]{0,63}$/, 'a name of letters, digits, - and _'),
  },
  {
    path: ['chatMethod'],
    ...textMatching(/^(?!(?:id|username)$).{1,64}$/u, 'a text of 1 to 64 characters but id and username'),
  },
  ...forEach('fields', (subject) => fieldList(defaultDialect.fields[subject].json)),
  ...forEach('missing', () => orNull(text)),
  ...forEach('nothing', () => orNull(recordedReply)),
  ...Object.entries(choices).flatMap(([group, of]) =>
    Object.entries(of).map(([name, values]): Place => ({ path: [group, name], ...oneOf(values) })),
  ),
  { path: ['json', 'type'], ...mediaType },
  { path: ['json', 'before'], ...text },
  { path: ['json', 'callback'], ...orNull(textMatching(/\{json\}/, 'a text with {json}')) },
  { path: ['xml', 'type'], ...mediaType },
  { path: ['xml', 'before'], ...text },
  { path: ['xml', 'declaration'], ...textMatching(/^(?:<\?xml [^<>]*\?>)?$/, 'an XML declaration, or ""') },
  {
    path: ['xml', 'root'],
    ...orNull(
      textMatching(/^[A-Za-z_][\w.:-]*(?:\s[^<>]*)?$/, 'the name of an element, with its attributes'),
    ),
  },
  { path: ['errors', 'status'], ...orNull(status) },
  ...formats.map((format): Place => ({ path: ['errors', 'other', format], ...orNull(recordedReply) })),
  ...errorKinds.flatMap((kind) =>
    formats.map((format): Place => ({ path: ['errors', 'replies', kind, format], ...recordedReply })),
  ),
]

/** The same text for users and apps, if they have none of their own: `"missing": {"json": …}`. */
export const sharedPlaces: readonly Place[] = formats.map((format) => ({
  path: ['missing', format],
  ...orNull(text),
}))

/** The paths of the dialect that a place of the file sets. */
export function pathsOf({ path: [name = '', format = ''], path }: Place): readonly Path[] {
  return name === 'missing' && path.length === 2 ? subjects.map((subject) => [name, subject, format]) : [path]
}

/** The value at a path; undefined if there is none. */
export function valueAt(node: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), node)
}

/** A copy with another value at a path; undefined removes it. */
export function withValue<T>(node: T, [name = '', ...rest]: Path, value: unknown): T {
  const inner: Readonly<Record<string, unknown>> = isObject(node) ? node : {}
  const next = rest.length === 0 ? value : withValue(inner[name], rest, value)
  // The cast holds: only the value at a path of `places` changes, and it was checked.
  return { ...inner, [name]: next } as T
}

/** The places at which two dialects differ. */
export function differencesOf(one: Dialect, other: Dialect): readonly Place[] {
  return places.filter(
    ({ path }) => JSON.stringify(valueAt(one, path)) !== JSON.stringify(valueAt(other, path)),
  )
}
