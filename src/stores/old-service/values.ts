// The values of a query, the clients they come from, and what became of each. A value is named by its index,
// since several clients may ask for the same one.

import { hasLeft } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import type { Item, Question } from '../store.ts'

export interface QueryValues<Found> {
  /** Indexes of the values that a query string can carry. The others match nothing. */
  readonly sendable: readonly number[]
  readonly textOf: (index: number) => string
  /** Drops values of clients that have left. */
  readonly wantedOf: (indexes: readonly number[]) => number[]
  /** Splits indexes by client. Clients with the same list of values stay together. */
  readonly byClient: (indexes: readonly number[]) => number[][]
  readonly byText: (indexes: readonly number[]) => number[][]
  readonly settle: (index: number, item: Item<Found>) => void
  /** The questions, by their index, of which all values were settled since this was last asked. */
  readonly takeAnswered: () => ReadonlyMap<number, readonly Item<Found>[]>
  /** @param missing for values that were not settled */
  readonly items: (missing: LookupError) => readonly Item<Found>[]
}

export function openValues<Found>(
  values: readonly string[],
  questions: readonly Question[],
): QueryValues<Found> {
  const owners = questions.flatMap((question) => question.values.map(() => question))
  const items: (Item<Found> | undefined)[] = values.map((value) => (canBeSent(value) ? undefined : null))
  const isSettled = (item: Item<Found> | undefined): item is Item<Found> => item !== undefined
  /** Questions that were not reported as answered, with the index of their first value. */
  const unanswered = new Map(startsOf(questions).entries())
  const textOf = (index: number) => values[index] ?? ''
  const textsOf = (indexes: readonly number[]) => indexes.map(textOf).join(SEPARATOR)
  const groups = <Key>(indexes: readonly number[], keyOf: (index: number) => Key) => [
    ...Map.groupBy(indexes, keyOf).values(),
  ]
  return {
    sendable: [...items.keys()].filter((index) => items[index] === undefined),
    textOf,
    wantedOf: (indexes) =>
      indexes.filter((index) => {
        const isWanted = !hasLeft(owners[index]?.caller ?? null)
        if (!isWanted) items[index] = new LookupError('CallerLeft')
        return isWanted
      }),
    byClient: (indexes) => {
      const lists = groups(indexes, (index) => owners[index])
      return [...Map.groupBy(lists, textsOf).values()].map((same) => same.flat())
    },
    byText: (indexes) => groups(indexes, textOf),
    settle: (index, item) => {
      items[index] = item
    },
    takeAnswered: () => {
      const answered = new Map<number, readonly Item<Found>[]>()
      for (const [question, start] of unanswered) {
        const own = items.slice(start, start + (questions[question]?.values.length ?? 0))
        if (!own.every(isSettled)) continue
        answered.set(question, own)
        unanswered.delete(question)
      }
      return answered
    },
    items: (missing) => items.map((item) => (item === undefined ? missing : item)),
  }
}

function startsOf(questions: readonly Question[]): number[] {
  let next = 0
  return questions.map(({ values }) => {
    next += values.length
    return next - values.length
  })
}

/** Separates the values of a list. No value that is sent contains it. */
export const SEPARATOR = ':'

/** NUL and halves of characters are in no query string that an old service reads as it was meant. */
function canBeSent(value: string): boolean {
  return value !== '' && value.isWellFormed() && !value.includes('\0') && !value.includes(SEPARATOR)
}
