// Finds the largest number of values that a list may have, by bisection.

import { NoResponse } from '../../stores/old-service/call.ts'
import { BudgetError, type ProbeOutcome, type SendQuery } from './client.ts'
import { UNKNOWN, UNKNOWN_TOO, users } from './requests.ts'
import { fieldsOf, meaningOfResponse } from './responses.ts'

/** Values in the longest list: more would not fit in the 8 KiB that most servers accept as an address. */
export const MAX_LIST_VALUES = 1_200

export interface ListLimit {
  /** Null if the longest list had a complete response: there may be a limit beyond. */
  readonly most: number | null
  /** False if the budget ended before the search: `most` is the best value so far. */
  readonly isComplete: boolean
  /** How the service responds to a longer list. */
  readonly beyond: 'refused' | 'cut short' | null
  /** The shortest list that was too long, and its response. */
  readonly example: { readonly query: string; readonly outcome: ProbeOutcome } | null
  /** The responses to lists within the limit. */
  readonly outcomes: readonly ProbeOutcome[]
}

/** @param ids of existing users, one at least */
export async function findListLimit(send: SendQuery, ids: readonly string[]): Promise<ListLimit> {
  const [known = ''] = ids
  const refusals = await refusalsOfUnknown(send, ids)
  const outcomes: ProbeOutcome[] = []
  let example: ListLimit['example'] = null
  let beyond: ListLimit['beyond'] = null
  let first = 1

  async function isAnswered(length: number): Promise<boolean> {
    // The known id comes last: it is missing if a list is cut short.
    const others = Array.from({ length }, (_, at) => String(first + at)).filter((id) => id !== known)
    const query = users(...others.slice(0, length - 1), known)
    const outcome = await send(query)
    const refusal = refusalIn(outcome)
    if (length === MAX_LIST_VALUES && first === 1 && isFailure(outcome)) {
      // A row that cannot be encoded fails every list with its id.
      first = OTHER_FIRST
      return isAnswered(length)
    }
    if (fieldsOf(outcome, known) !== null || (refusal !== null && refusals.has(refusal))) {
      outcomes.push(outcome)
      return true
    }
    const isCut = meaningOfResponse(outcome).kind === 'entries'
    beyond = isCut ? 'cut short' : 'refused'
    example = { query, outcome }
    if (isCut) outcomes.push(outcome)
    return false
  }

  let most = 1
  let more = MAX_LIST_VALUES
  try {
    return { most: await search(), isComplete: true, beyond, example, outcomes }
  } catch (error) {
    // The longest list that was seen so far.
    if (error instanceof BudgetError) return { most, isComplete: false, beyond, example, outcomes }
    throw error
  }

  async function search(): Promise<number | null> {
    if (await isAnswered(MAX_LIST_VALUES)) return null
    // A refusal such as "More than 50 values" names the limit, so it is tried first.
    for (const length of numbersIn(example).flatMap((named) => [named, named + 1]))
      if (length > most && length < more) {
        if (await isAnswered(length)) most = length
        else more = length
      }
    while (more - most > 1) {
      const middle = (most + more) >> 1
      if (await isAnswered(middle)) most = middle
      else more = middle
    }
    return most
  }
}

const isFailure = (outcome: ProbeOutcome) =>
  !(outcome instanceof NoResponse) &&
  (outcome.status >= 500 || (outcome.body.length > 0 && meaningOfResponse(outcome).kind === 'unreadable'))
/** Ids that perhaps no row has, and that are as short as others. */
const OTHER_FIRST = 8_000

function numbersIn(example: ListLimit['example']): number[] {
  const meaning = example === null ? null : meaningOfResponse(example.outcome)
  if (meaning?.kind !== 'refusal') return []
  return (meaning.text.slice(0, 1_000).match(/\d{1,4}/g) ?? []).slice(0, 3).map(Number)
}

/** A service that refuses unknown ids has one text for an id, and perhaps another for several. */
async function refusalsOfUnknown(send: SendQuery, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const alone = refusalIn(await send(users(UNKNOWN)))
  const [one = '', other] = ids
  const isForPairs =
    alone !== null && other !== undefined && fieldsOf(await send(users(one, other)), one) !== null
  const pair = isForPairs ? refusalIn(await send(users(UNKNOWN, UNKNOWN_TOO))) : null
  return new Set([alone, pair].filter((text) => text !== null))
}

/** A refusal without its numbers: one about an id names the id, one about a list may name a length. */
function refusalIn(outcome: ProbeOutcome): string | null {
  const meaning = meaningOfResponse(outcome)
  if (meaning.kind !== 'refusal') return null
  return `${meaning.status} ${meaning.text.replace(/\d+(?:["',;:\s]{1,24}\d+)*/g, '#')}`
}
