// The meaning of a legacy response, without its bytes: entries with fields, a refusal, or nothing that a
// client could read.

/** A value as a client reads it. Texts are equal if the values are. */
export interface Value {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list' | 'text'
  readonly text: string
  /** The XML element has attributes or elements: the text is all of it. */
  readonly isNested?: true
}

/** A field's name and its value. */
export type Field = readonly [name: string, value: Value]

/** Fields, or a value for an unknown identifier, such as `null` or `[]`. */
export type Entry = readonly Field[] | Value

export interface Entries {
  readonly kind: 'entries'
  readonly format: 'JSON' | 'XML'
  /** The name of the XML root; empty in JSON. */
  readonly root: string
  /** By identifier; those of XML in the order of the response. */
  readonly entries: ReadonlyMap<string, Entry>
}

interface Refusal {
  readonly kind: 'refusal'
  readonly format: 'JSON' | 'XML' | 'other'
  readonly status: number
  /** The text that the service sent. */
  readonly text: string
}

interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: string
}

export type Meaning = Entries | Refusal | Unreadable

/** The message is the reason why a body cannot be read. */
export class UnreadableBody extends Error {}

/**
 * Whether a member or an element has the name of an error, such as Error, ErrorCode, error_message or
 * Message. No field of a user or an app has such a name.
 */
export function isErrorName(name: string): boolean {
  return /^(?:errors?|message|error[_-]?(?:code|message|text))$/i.test(name)
}

export function isFields(entry: Entry): entry is readonly Field[] {
  return Array.isArray(entry)
}
