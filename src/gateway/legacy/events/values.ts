// A list of values as a client wrote it → the values, and what the operation is asked for.

import { LookupError } from '../../../errors.ts'
import { parseId } from '../../../model.ts'
import type { Dialect } from '../../../settings.ts'
import { keptSegments } from '../habits/empty-values.ts'
import { listReader, separators } from '../habits/list.ts'
import { idForms, idReader, isOfSome } from '../habits/loose-ids.ts'
import { answersNoValues } from '../habits/no-values.ts'
import { usernameReader } from '../habits/usernames.ts'
import { allSegments, distinctSegments } from './segments.ts'

/** A list of values as it was read. */
export interface List {
  /** None is empty. Distinct and in order, unless the dialect has duplicates. */
  readonly values: readonly string[]
  /** Whether values at its end were left out. */
  readonly isCut: boolean
}

/** @param areIds whether its values are meant as numeric identifiers */
export type ParseList = (list: string | undefined, areIds: boolean) => List

/** What the operation is asked for, and what that says of the values. */
export interface Wanted {
  readonly wanted: readonly string[]
  /**
   * For each value its place in `wanted`, -1 where it can match nothing; `null` where the two are the same.
   */
  readonly places: readonly number[] | null
}

/**
 * Chooses how a list is split: empty segments are dropped unless the dialect keeps them, duplicates keep
 * their first place.
 * @returns a function that throws LookupError `MissingParameter`, `TooManyValues`
 */
export function listParser(name: string, dialect: Dialect): ParseList {
  const { maxValues, list: habit, duplicates, tooMany, noValues, emptyValues, malformed } = dialect
  const readId = malformed === 'drop' ? idReader(dialect) : null
  const read = listReader(habit)
  const isOnce = duplicates === 'once'
  const isKept = emptyValues === 'keep'
  const split = isKept
    ? (list: string, most: number) => keptSegments(list, most, isOnce)
    : isOnce
      ? distinctSegments
      : allSegments
  return (given, areIds) => {
    const list = given ?? ''
    // A list of one empty value is a list without values to those services that refuse such.
    const isNone = isKept && list === '' && !answersNoValues(noValues, given)
    const text = read === null ? list : read(list)
    const values = isNone
      ? []
      : readId === null || !areIds
        ? split(text, maxValues)
        : // What is dropped does not count.
          split(text, text.length).filter((value) => readId(value) !== null)
    if (values.length === 0) {
      if (answersNoValues(noValues, given)) return { values, isCut: false }
      const hint = `It holds one or more values, separated by ${separators[habit]}.`
      throw new LookupError('MissingParameter', [name, hint])
    }
    if (values.length <= maxValues) return { values, isCut: false }
    if (tooMany === 'cut') return { values: values.slice(0, maxValues), isCut: true }
    throw new LookupError('TooManyValues', [String(maxValues)])
  }
}

/** What is asked for, chosen by the dialect: by numeric identifiers, by usernames, by anything else. */
export type Ask = (values: readonly string[]) => Wanted

/**
 * Values that are no numeric identifiers are refused, unless the dialect lets them match nothing.
 * @param hint where else the value might belong
 * @returns a function that throws LookupError `MalformedIdentifier`
 */
export function askByIds(dialect: Dialect, hint: string): Ask {
  const { looseIds, duplicates, malformed, emptyValues } = dialect
  const refuse = (value: string) => {
    throw new LookupError('MalformedIdentifier', [value, idForms[looseIds], hint])
  }
  if (looseIds === 'digits' && duplicates === 'once' && emptyValues === 'drop')
    return (values) => {
      // What is malformed comes back as nothing found.
      if (malformed === 'reject') for (const value of values) if (parseId(value) === null) refuse(value)
      return asTheyAre(values)
    }
  const read = idReader(dialect)
  return (values) =>
    place(values, (value) => {
      const id = read(value)
      if (id === null && malformed === 'reject') refuse(value)
      return id !== null && isOfSome(id) ? id : null
    })
}

export function askByUsernames(dialect: Dialect): Ask {
  const read = usernameReader(dialect.usernames)
  if (read === null) return askByTexts(dialect)
  return (values) => place(values, (value) => read(value) || null)
}

export function askByTexts({ duplicates, emptyValues }: Dialect): Ask {
  if (duplicates === 'once' && emptyValues === 'drop') return asTheyAre
  return (values) => place(values, (value) => value || null)
}

/** Each of them matches nothing. */
export const askForNobody: Ask = (values) => ({ wanted: [], places: values.map(() => -1) })

const asTheyAre: Ask = (values) => ({ wanted: values, places: null })

/** @param read what is asked for a value; `null` where it can match nothing */
function place(values: readonly string[], read: (value: string) => string | null): Wanted {
  const places = new Map<string, number>()
  const placeOf = (wanted: string) => {
    const known = places.get(wanted) ?? places.size
    places.set(wanted, known)
    return known
  }
  const found = values.map((value) => {
    const wanted = read(value)
    return wanted === null ? -1 : placeOf(wanted)
  })
  return { wanted: [...places.keys()], places: found }
}
