// What an event is. One declaration states all there is to know about it; parsing, both formats, OpenAPI, XSD
// and the explorer read the declaration, and none of them knows an event by name.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { DocumentNode } from 'graphql'
import type { Caller } from '../../../caller.ts'
import type { Subject } from '../../../paired-texts.ts'
import type { OrderInForce } from '../habits/habit.ts'
import type { List, Wanted } from './values.ts'

/** A field's value as GraphQL delivers it. */
export type FieldValue = string | number | boolean

/** An entry of an answer, by the names of the GraphQL operation. */
export type Entry = Readonly<Record<string, FieldValue>>

/** Runs a stored GraphQL operation, and resolves to its data. */
export type ExecuteStored = <Data, Variables extends Readonly<Record<string, unknown>>>(
  operation: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  caller: Caller | null,
) => Promise<Data>

/** The data of a stored operation: `null` only where it failed, and that is thrown. */
interface Entries<E extends Entry> {
  readonly entries: readonly (E | null)[] | null
}

export interface Field {
  /** The name in the answer. */
  readonly name: string
  /** The name in the GraphQL operation. */
  readonly source: string
  /** How JSON writes it; `integer` stays bare digits even where GraphQL has an ID string. */
  readonly type: 'integer' | 'string' | 'boolean'
  readonly description: string
  /**
   * How XML writes a boolean: `digit` is 0 or 1; `flag` is empty or 1. Old clients rely on the difference.
   */
  readonly xml?: 'digit' | 'flag'
}

/** What old clients find in XML where JSON has a boolean. */
export const booleansInXml = {
  digit: 'In XML it is 0 or 1.',
  flag: 'In XML it is empty for false, and 1 for true.',
} as const satisfies Record<NonNullable<Field['xml']>, string>

export interface Parameter {
  readonly name: string
  readonly required: boolean
  readonly description: string
  /** The values it may have; the first is the default. */
  readonly allowed?: readonly string[]
  /** Whether it is the colon-separated list of values. */
  readonly list?: true
  readonly example: string
}

/** The decoded value of a parameter; `undefined` where the request does not have it. */
export type ReadParameter = (name: string) => string | undefined

interface Description {
  /** That of the entries, and the setting that it comes from. */
  readonly order: OrderInForce
  /** Texts of errors may differ by it. */
  readonly subject: Subject
  /** The value of `Event`, in exact case. */
  readonly name: string
  readonly description: string
  readonly parameters: readonly Parameter[]
}

/** A question and its answer, for the published contracts. */
interface Example<E extends Entry> {
  readonly values: readonly string[]
  /** One for each value, in order. */
  readonly entries: readonly E[]
}

interface Declaration<Row, E extends Entry, Variables extends Readonly<Record<string, unknown>>>
  extends Description {
  /** Every field of a row, by its name in the operation, in the order of the answer. */
  readonly fields: Readonly<Record<keyof Row & string, Omit<Field, 'source'>>>
  /** The stored operation; its root field is aliased `entries`. */
  readonly operation: TypedDocumentNode<Entries<E>, Variables>
  /**
   * Turns the event's parameters into the operation's variables, and into the values that are looked up: in
   * order, spelt as the client spelt them.
   * @throws LookupError for every row of the contract's request table
   */
  readonly parse: (parameter: ReadParameter) => Parsed<Variables>
  readonly example: Example<E>
}

interface Parsed<Variables> extends List, Named {
  readonly variables: Variables
  readonly places: Wanted['places']
  /** Whether an entry is the value's, of those that the operation found; `null` where all are. */
  readonly isFor: ((value: string, entry: Entry) => boolean) | null
}

interface Named {
  /** Whether the values are meant as numeric identifiers. */
  readonly areIds: boolean
  /** Whether they are meant as usernames. */
  readonly areUsernames: boolean
}

/** What a request looks up: the values, and the question, which answers one entry per value, in order. */
export interface Lookup extends List, Named {
  readonly operation: DocumentNode
  readonly variables: Readonly<Record<string, unknown>>
  readonly ask: (execute: ExecuteStored, caller: Caller | null) => Promise<Entries<Entry>>
}

export interface LegacyEvent extends Description {
  /** In the order of the answer. */
  readonly fields: readonly Field[]
  readonly example: Example<Entry>
  readonly parse: (parameter: ReadParameter) => Lookup
}

/**
 * Checks a declaration against the types of its operation, and both against a row (`Row`): the compiler
 * refuses a field that one of them lacks.
 */
export function defineEvent<Row>() {
  return <
    E extends Entry & Readonly<Record<keyof Row, FieldValue>>,
    Variables extends Record<string, unknown>,
  >(
    declaration: Declaration<Row, E, Variables>,
  ): LegacyEvent => {
    const { operation, parse, fields, ...description } = declaration
    return {
      ...description,
      fields: Object.entries<Omit<Field, 'source'>>(fields).map(([source, field]) => ({ source, ...field })),
      parse: (parameter) => {
        const { variables, places, isFor, values, isCut, areIds, areUsernames } = parse(parameter)
        const asked: Lookup['ask'] = (execute, caller) => execute(operation, variables, caller)
        return {
          values,
          isCut,
          areIds,
          areUsernames,
          operation,
          variables,
          ask:
            places === null && isFor === null
              ? asked
              : async (...asking) => {
                  const { entries } = await asked(...asking)
                  return { entries: entries === null ? null : entriesOf(values, entries, places, isFor) }
                },
        }
      },
    }
  }
}

/** The entry of each value, of those that the operation found. */
function entriesOf(
  values: readonly string[],
  entries: readonly (Entry | null)[],
  places: Wanted['places'],
  isFor: Parsed<unknown>['isFor'],
): (Entry | null)[] {
  return values.map((value, at) => {
    const entry = entries[places === null ? at : (places[at] ?? -1)] ?? null
    return entry === null || isFor?.(value, entry) === false ? null : entry
  })
}
