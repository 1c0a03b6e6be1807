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
  /** The query of the shortest list that was too long. */
  readonly example: string | null
  /** The responses to lists. */
  readonly outcomes: readonly ProbeOutcome[]
}

/** The first id of lists in which perhaps no id exists. The ids are short, as others are. */
const OTHER_FIRST = 8_000

/** @param ids of existing users, one at least */
export async function findListLimit(send: SendQuery, ids: readonly string[]): Promise<ListLimit> {
  const [known = ''] = ids
  let refusals: ReadonlySet<string> = new Set()
  const outcomes: ProbeOutcome[] = []
  let example: string | null = null
  let beyond: ListLimit['beyond'] = null
  let first = 1
  let most = 1
  let more = MAX_LIST_VALUES + 1

  async function tryLength(length: number): Promise<void> {
    // The known id comes last: it is missing if a list is cut short.
    const others = Array.from({ length }, (_, at) => String(first + at)).filter((id) => id !== known)
    const query = users(...others.slice(0, length - 1), known)
    const outcome = await send(query)
    const refusal = refusalIn(outcome)
    if (length === MAX_LIST_VALUES && first === 1 && isFailure(outcome)) {
      // A row that cannot be encoded fails every list with its id.
      first = OTHER_FIRST
      return tryLength(length)
    }
    outcomes.push(outcome)
    if (hasUser(outcome, known) || (refusal !== null && refusals.has(refusal))) most = length
    else {
      more = length
      example = query
      beyond = meaningOfResponse(outcome).kind === 'entries' ? 'cut short' : 'refused'
    }
  }

  const result = (isComplete: boolean) => ({ isComplete, beyond, example, outcomes })
  try {
    refusals = await refusalsOfUnknown(send, ids)
    await tryLength(MAX_LIST_VALUES)
    if (most === MAX_LIST_VALUES) return { most: null, ...result(true) }
    while (more - most > 1) await tryLength((most + more) >> 1)
    return { most, ...result(true) }
  } catch (error) {
    // The longest list that was seen so far.
    if (error instanceof BudgetError) return { most, ...result(false) }
    throw error
  }
}

function isFailure(outcome: ProbeOutcome): boolean {
  if (outcome instanceof NoResponse) return false
  return (
    outcome.status >= 500 || (outcome.body.length > 0 && meaningOfResponse(outcome).kind === 'unreadable')
  )
}

const hasUser = (outcome: ProbeOutcome, id: string) => fieldsOf(outcome, id) !== null

/** The refusals of unknown ids: some services have one text for one id, and another text for several. */
async function refusalsOfUnknown(send: SendQuery, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const alone = refusalIn(await send(users(UNKNOWN)))
  const [one = '', other] = ids
  if (alone === null) return new Set()
  const hasPairs = other !== undefined && hasUser(await send(users(one, other)), one)
  const pair = hasPairs ? refusalIn(await send(users(UNKNOWN, UNKNOWN_TOO))) : null
  return new Set(pair === null ? [alone] : [alone, pair])
}

/** A refusal without its numbers, which are ids or the length of a list. */
function refusalIn(outcome: ProbeOutcome): string | null {
  const meaning = meaningOfResponse(outcome)
  if (meaning.kind !== 'refusal') return null
  return `${meaning.status} ${meaning.text.replace(/\d+(?:["',;:\s]{1,24}\d+)*/g, '#')}`
}
