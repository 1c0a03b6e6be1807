// What a legacy answer says, whatever its bytes: entries with fields, a refusal, or nothing that a client
// could read.

/** A value as a client reads it. Texts are equal where the values are. */
export interface Value {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list' | 'text'
  readonly text: string
  /** Of an XML element that has attributes or elements in it: the text is all of it. */
  readonly isNested?: true
}

/** A field's name and its value. */
export type Field = readonly [name: string, value: Value]

/**
 * What an answer says of one identifier: fields, or a value that stands for nothing, such as `null` or `[]`.
 */
export type Entry = readonly Field[] | Value

export interface Entries {
  readonly kind: 'entries'
  readonly format: 'JSON' | 'XML'
  /** The name of the XML root; empty in JSON. */
  readonly root: string
  /** By identifier, in the order of the answer. */
  readonly entries: ReadonlyMap<string, Entry>
}

interface Refusal {
  readonly kind: 'refusal'
  readonly format: 'JSON' | 'XML' | 'other'
  readonly status: number
  /** What it says, as it came. */
  readonly text: string
}

interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: string
}

export type Meaning = Entries | Refusal | Unreadable

/** What kept a reader from reading. */
export class UnreadableBody extends Error {}

/**
 * Whether a member or an element is called like an error, such as Error, ErrorCode, error_message or Message.
 * No field of a user or an app is called so.
 */
export function isErrorName(name: string): boolean {
  return /^(?:errors?|message|error[_-]?(?:code|message|text))$/i.test(name)
}

export function isFields(entry: Entry): entry is readonly Field[] {
  return Array.isArray(entry)
}
