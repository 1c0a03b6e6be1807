// The orders that entries may be in: as asked for, by id or name, or as ORDER BY puts rows by a field.

import { type Compare, compareBytes, compareKeys, compareNoCase, generalCi } from './collations.ts'

/** The fields that rows are sorted by: what is a text, and what is a number. */
const textFields = ['Username', 'DisplayName', 'Title', 'Version'] as const
const numberFields = ['Rank', 'JoinDate', 'Category'] as const
type TextField = (typeof textFields)[number]
type NumberField = (typeof numberFields)[number]

const collations = ['', ' nocase', ' general_ci'] as const
const directions = ['', ' desc'] as const
type Direction = (typeof directions)[number]

export type Order =
  | 'asked'
  | 'name'
  | 'ksort'
  | `id${Direction}`
  | `${TextField}${(typeof collations)[number]}${Direction}`
  | `${NumberField}${Direction}`

/** An entry of an answer, or what stands for a value that matches nothing. */
export interface Placed {
  readonly name: string
  /** The numeric id of what was found; infinite where nothing was. */
  readonly id: number
  readonly entry: Readonly<Record<string, string | number | boolean>> | null
}

/** Those that the settings of users and of apps may have, the plainest first. */
export const ordersOfUsers = ordersBy(
  ['Username', 'DisplayName', 'JoinDate', 'Rank'],
  ['asked', 'name', 'ksort'],
)
export const ordersOfApps = ordersBy(['Title', 'Category', 'Version'], ['asked', 'name'])

function ordersBy(fields: readonly (TextField | NumberField)[], others: readonly Order[]): readonly Order[] {
  const isText = (field: TextField | NumberField): field is TextField =>
    textFields.some((one) => one === field)
  return [
    ...others,
    ...directions.map((direction): Order => `id${direction}`),
    ...fields.flatMap((field) =>
      directions.flatMap((direction): Order[] =>
        isText(field)
          ? collations.map((collation): Order => `${field}${collation}${direction}`)
          : [`${field}${direction}`],
      ),
    ),
  ]
}

/** `null` where entries stay as they were asked for. What matches nothing comes last, but by its name. */
export function comparerOf(order: Order): Compare<Placed> | null {
  if (order === 'asked') return null
  if (order === 'name') return (one, other) => compareBytes(one.name, other.name)
  if (order === 'ksort') return (one, other) => compareKeys(one.name, other.name)
  const [field = '', ...words] = order.split(' ')
  const sign = words.at(-1) === 'desc' ? -1 : 1
  const compare = field === 'id' ? byId : comparerOfField(field, words)
  return (one, other) =>
    one.entry === null || other.entry === null
      ? byId(one, other)
      : sign * compare(one, other) || byId(one, other)
}

function comparerOfField(field: string, words: readonly string[]): Compare<Placed> {
  const source = `${field.charAt(0).toLowerCase()}${field.slice(1)}`
  if (numberFields.some((one) => one === field))
    return (one, other) => Number(one.entry?.[source]) - Number(other.entry?.[source])
  const compare = words.includes('nocase')
    ? compareNoCase
    : words.includes('general_ci')
      ? generalCi()
      : compareBytes
  return (one, other) => compare(String(one.entry?.[source]), String(other.entry?.[source]))
}

function byId(one: Placed, other: Placed): number {
  return one.id === other.id ? 0 : one.id - other.id
}

/** Rows that are sorted by a field of users were read by `WHERE … IN`, and so are those of apps: by id. */
export function orderOfApps(order: Order, ofApps: Order | null): Order {
  if (ofApps !== null) return ofApps
  return ordersOfApps.includes(order) || order === 'ksort' ? order : 'id'
}
