// The meaning of a legacy response, without its bytes: entries with fields, a refusal, or nothing that a
// client could read. A response that is wrongly read as a refusal hides differences: all refusals are alike.

/** A value as a client reads it. Texts are equal if the values are. */
export interface ValueMeaning {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list' | 'text'
  readonly text: string
  /** The XML element has attributes or elements: the text is all of it. */
  readonly isNested?: true
}

/** A field's name and its value. */
export type FieldMeaning = readonly [name: string, value: ValueMeaning]

/** Fields, or a value for an unknown identifier, such as `null` or `[]`. */
export type EntryMeaning = readonly FieldMeaning[] | ValueMeaning

export interface EntriesMeaning {
  readonly kind: 'entries'
  readonly format: 'JSON' | 'XML'
  /** The name of the XML root; empty in JSON. */
  readonly root: string
  /** By identifier; those of XML in the order of the response. */
  readonly entries: ReadonlyMap<string, EntryMeaning>
}

interface RefusalMeaning {
  readonly kind: 'refusal'
  readonly format: 'JSON' | 'XML' | 'other'
  readonly status: number
  /** The text that the service sent. */
  readonly text: string
}

interface UnreadableMeaning {
  readonly kind: 'unreadable'
  readonly reason: string
}

export type Meaning = EntriesMeaning | RefusalMeaning | UnreadableMeaning

/** The message is the reason why a body cannot be read. */
export class UnreadableBodyError extends Error {}

export function isFields(entry: EntryMeaning): entry is readonly FieldMeaning[] {
  return Array.isArray(entry)
}

/**
 * Whether a response shows that it is of the lookup interface: it has an entry, or it is the error of the
 * interface. A page of another program has neither: `{"status":"ok"}`, `<feed><title>News</title></feed>`. An
 * empty response, such as `{}`, `[]` or `null`, shows nothing: a wrong address may always respond with it.
 */
export function provesInterface(meaning: Meaning): boolean {
  if (meaning.kind === 'refusal') return legacyError.test(meaning.text)
  if (meaning.kind !== 'entries') return false
  // In XML, all but the entries has a name with a NUL. JSON has these values for unknown identifiers.
  const isEntry = (name: string, entry: EntryMeaning) =>
    !name.startsWith('\0') &&
    (isFields(entry) || entry.type === 'text' || /^(?:null|false|\[\]|)$/.test(entry.text))
  return [...meaning.entries].some(([name, entry]) => isEntry(name, entry))
}

/**
 * Codes that only a lookup gets. Others have the same form: `NotFound` of a wrong path, `NoSuchBucket` of S3.
 */
const lookupCodes =
  '(?:(?:Missing|Repeated)Parameter|Unknown(?:Event|Method|Format)|Malformed(?:Identifier|Query)|TooManyValues|NothingFound)'
/** `{"Error":{"Code":"UnknownEvent"…` or `<Error><Code>UnknownEvent</Code>…` */
const legacyError = new RegExp(
  String.raw`^\s*\{\s*"Error"\s*:\s*\{\s*"Code"\s*:\s*"${lookupCodes}"|<Error>\s*<Code>${lookupCodes}<`,
)

/** A member of a JSON object, or an element of the XML root. */
export interface ResponsePart {
  readonly name: string
  /** The text of a single value; null for a list, an object or an element with elements. */
  readonly text: string | null
  /** It may be an entry, or stand for an unknown identifier. */
  readonly isEntry: boolean
}

const errorName = /^(?:errors?|message|error[_-]?(?:code|message|text))$/i
const messageName = /^(?:error_?)?message$|^msg$|^detail$/i
const statusName = /^(?:status|success|ok|result|title|type)$|code$|^error/i
/** Values of an error that did not happen, such as `"error":0` beside the data. */
const isNoError = (text: string) => /^(?:0|false|null|none)?$/i.test(text)

/** Whether the parts of a response say nothing but that the request was refused. */
export function isRefusal(parts: readonly ResponsePart[]): boolean {
  const hasSucceeded = parts.some(isSuccess)
  const isError = ({ name, text, isEntry }: ResponsePart) =>
    errorName.test(name) &&
    !isEntry &&
    (text === null || !isNoError(text)) &&
    !(hasSucceeded && messageName.test(name))
  if (parts.some(isError))
    return parts.every((part) => isError(part) || (part.text !== null && !part.isEntry))
  const isMessage = ({ name, text }: ResponsePart) =>
    messageName.test(name) && text !== null && !isNoError(text)
  const isStatus = ({ name, text, isEntry }: ResponsePart) =>
    text !== null && !isEntry && statusName.test(name)
  return !hasSucceeded && parts.some(isMessage) && parts.every((part) => isMessage(part) || isStatus(part))
}

/** A message beside `"success":true` is about data. */
function isSuccess({ name, text }: ResponsePart): boolean {
  if (/^(?:error_?)?code$/i.test(name)) return text === '0' || text === '200'
  return /^(?:status|success|ok|result)$/i.test(name) && /^(?:1|200|true|ok|success)$/i.test(text ?? '')
}

/** Whether a null of this name is no unknown user: `"error":null` says that there was no error. */
export function isAboutError(name: string): boolean {
  return errorName.test(name) || statusName.test(name)
}

/** Whether an object of this name may be an entry. A user may have the name `error`. */
export function mayBeEntry(name: string, members: readonly string[]): boolean {
  return !/^errors?$/i.test(name) || members.some((member) => member === 'Id' || member === 'Title')
}
