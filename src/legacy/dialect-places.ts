// Each key of the file LEGACY_DIALECT: its path, what it is for, and what is allowed there. The check of the
// file, its JSON Schema, its documentation and what is written come from this list.

import { isObject } from '../json.ts'
import { choices } from './choices.ts'
import { type Dialect, defaultDialect, errorKinds } from './dialect.ts'
import {
  type ChoiceKind,
  fieldList,
  mediaType,
  oneOf,
  orNull,
  recordedResponse,
  responseSchema,
  status,
  text,
  textMatching,
} from './dialect-kinds.ts'

export type ChoicePath = readonly string[]

/** A place that has a value of its own. */
export interface DialectPlace extends ChoiceKind {
  readonly path: ChoicePath
}

/** A key with its description. */
interface DialectKey {
  readonly path: ChoicePath
  readonly about: string
  /** The key itself, or those below it. */
  readonly places: readonly DialectPlace[]
}

/** @param name its path with dots */
function key(name: string, about: string, kind: ChoiceKind, below: readonly ChoicePath[] = [[]]): DialectKey {
  const path = name.split('.')
  return { path, about, places: below.map((inner) => ({ path: [...path, ...inner], ...kind })) }
}

const formats = [['json'], ['xml']]
const inFormats = (names: readonly string[]) =>
  names.flatMap((name) => formats.map((path) => [name, ...path]))
const subjects = ['users', 'apps'] as const
const { fields } = defaultDialect

export const keys: readonly DialectKey[] = [
  key(
    'serviceName',
    'The name of the service: "Acme" makes the root <AcmeAPI> and the field AcmeDownloadLink.',
    textMatching(/^[A-Za-z_][\w-]{0,63}$/, 'a name of letters, digits, - and _'),
  ),
  key(
    'chatMethod',
    'The value of MethodOfAccessingUserInformation that means the chat platform.',
    textMatching(/^(?!(?:id|username)$).{1,64}$/u, 'a text of 1 to 64 characters but id and username'),
  ),
  key('fields.users', 'The fields of a user in their order.', fieldList(fields.users.json), formats),
  key(
    'fields.apps',
    'The fields of an app in their order. ServiceDownloadLink stands for the field with the name of the service.',
    fieldList(fields.apps.json),
    formats,
  ),
  key(
    'missing',
    'The entry of a value that matches nothing, with {value}; null leaves it out.',
    orNull(text),
    inFormats(subjects),
  ),
  key(
    'nothing',
    'The response if nothing matches; null writes it as any other response.',
    orNull(recordedResponse),
    inFormats(subjects),
  ),
  ...choices.map(({ path, about, values }) => key(path.join('.'), about, oneOf(values))),
  key('json.type', 'The Content-Type of JSON.', mediaType),
  key('json.before', 'A text before the JSON.', text),
  key(
    'json.callback',
    'The form of JSONP, such as {callback}({json}); null ignores the parameter callback.',
    orNull(textMatching(/\{json\}/, 'a text with {json}')),
  ),
  key('xml.type', 'The Content-Type of XML.', mediaType),
  key('xml.before', 'A text before the XML, such as a byte order mark.', text),
  key(
    'xml.declaration',
    'The XML declaration.',
    textMatching(/^(?:<\?xml [^<>]*\?>)?$/, 'an XML declaration, or ""'),
  ),
  key(
    'xml.root',
    'The root element and its attributes; null is the name of the service and API.',
    orNull(textMatching(/^[A-Za-z_][\w.:-]*(?:\s[^<>]*)?$/, 'the name of an element, with its attributes')),
  ),
  key(
    'errors.status',
    'The status of all errors without a recorded response; null is the status of each error.',
    orNull(status),
  ),
  key(
    'errors.other',
    'The form of all other errors, with {message} and {code}; null is the form of the contract.',
    orNull(recordedResponse),
    formats,
  ),
  key(
    'errors.replies',
    `Recorded responses to kinds of wrong requests (${errorKinds.join(', ')}), with {value} for the value of the request.`,
    recordedResponse,
    inFormats(errorKinds),
  ),
]

export const places: readonly DialectPlace[] = keys.flatMap((one) => one.places)

/** The same text for users and apps, if they have none of their own: `"missing": {"json": …}`. */
const shared = key('missing', '', orNull(text), formats)

const filePlaces = [...places, ...shared.places]

export const placeAt = (path: ChoicePath): DialectPlace | undefined =>
  filePlaces.find((place) => isSame(place.path, path))

export const isSame = (one: ChoicePath, other: ChoicePath): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at])

/** The keys that may stand below a path. */
export function namesBelow(path: ChoicePath): readonly string[] {
  const below = filePlaces.filter(
    (place) => place.path.length > path.length && isSame(path, place.path.slice(0, path.length)),
  )
  return [...new Set(below.map((place) => place.path[path.length] ?? ''))]
}

/** The paths of the dialect that a place of the file sets. */
export function pathsOf({ path: [name = '', format = ''], path }: DialectPlace): readonly ChoicePath[] {
  return name === 'missing' && path.length === 2 ? subjects.map((subject) => [name, subject, format]) : [path]
}

/** The value at a path; undefined if there is none. */
export function valueAt(node: unknown, path: ChoicePath): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), node)
}

/** A copy with another value at a path; undefined leaves it out of JSON. */
export function withValue<T>(node: T, [name = '', ...rest]: ChoicePath, value: unknown): T {
  const inner: Readonly<Record<string, unknown>> = isObject(node) ? node : {}
  const next = rest.length === 0 ? value : withValue(inner[name], rest, value)
  // The cast holds: only the value at a path of `places` changes, and it was checked.
  return { ...inner, [name]: next } as T
}

/** The places at which two dialects differ. */
export function differencesOf(one: Dialect, other: Dialect): readonly DialectPlace[] {
  return places.filter(
    ({ path }) => JSON.stringify(valueAt(one, path)) !== JSON.stringify(valueAt(other, path)),
  )
}

/** The JSON Schema of the file, by which editors complete it: schema/dialect.schema.json. */
export function dialectSchema(): string {
  const root = objectAt([])
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The dialect of an old lookup service',
    ...root,
    properties: { $schema: { type: 'string' }, ...root.properties },
    $defs: { reply: responseSchema },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function schemaAt(path: ChoicePath): object {
  const place = placeAt(path)
  // JSON.stringify leaves undefined out.
  return place === undefined
    ? objectAt(path)
    : { description: aboutOf(path), ...place.schema, default: valueAt(defaultDialect, path) }
}

const objectAt = (path: ChoicePath) => ({
  type: 'object',
  description: aboutOf(path),
  additionalProperties: false,
  properties: Object.fromEntries(namesBelow(path).map((name) => [name, schemaAt([...path, name])])),
})

const aboutOf = (path: ChoicePath) => keys.find((key) => isSame(key.path, path))?.about
