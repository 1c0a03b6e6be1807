// A table of settings is nested as the values are that it makes: each row is a setting, each group an object.

import type { Setting } from './kinds.ts'

export interface Group<Name extends string = string> {
  readonly [key: string]: Setting<unknown, Name> | Group<Name>
}

/** What a part of a table makes. */
export type ValuesOf<Part> =
  Part extends Setting<infer Value> ? Value : { readonly [Key in keyof Part]: ValuesOf<Part[Key]> }

/** In the order of the table. */
export function rowsOf<Name extends string>(group: Group<Name>): readonly Setting<unknown, Name>[] {
  return Object.values(group).flatMap((part) => (isRow(part) ? [part] : rowsOf(part)))
}

// The casts of the next two are for Object.fromEntries, whose type forgets which key has which value. They
// hold: every entry of the table becomes one of the result, and none is added.

/** The rows by the names of their settings, in the order of the table. */
export function byName<Name extends string>(
  table: Group<Name>,
): Readonly<Record<Name, Setting<unknown, Name>>> {
  const rows = rowsOf(table).map((row) => [row.name, row] as const)
  return Object.fromEntries(rows) as Record<Name, Setting<unknown, Name>>
}

/** Reads the rows in their order. @returns frozen objects */
export function readGroup<Name extends string, Rows extends Group<Name>>(
  group: Rows,
  read: <Value>(row: Setting<Value, Name>) => Value,
): ValuesOf<Rows> {
  const values = Object.entries(group).map(
    ([key, part]) => [key, isRow(part) ? read(part) : readGroup(part, read)] as const,
  )
  return Object.freeze(Object.fromEntries(values)) as ValuesOf<Rows>
}

function isRow<Name extends string>(
  part: Setting<unknown, Name> | Group<Name>,
): part is Setting<unknown, Name> {
  return typeof part.parse === 'function'
}
