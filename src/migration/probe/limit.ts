// How many identifiers a list may have, found by halving.

import { questions, UNKNOWN, UNKNOWN_TOO } from '../../gateway/legacy/habits/questions.ts'
import type { Field } from '../answers/meaning.ts'
import type { Ask, Outcome } from './ask.ts'
import { fieldsOf, foundIn, meaningOfOutcome } from './describe.ts'

/**
 * Identifiers in the longest list that is tried: as many as fit in the 8 KiB of address that most servers
 * take.
 */
export const MAX_LIST_VALUES = 1_200

export interface ListLimit {
  /** `null` where the longest list is answered. */
  readonly most: number | null
  /** What becomes of a longer one. */
  readonly beyond: 'refused' | 'cut short' | null
  /** Users that were answered on the way. */
  readonly found: ReadonlyMap<string, readonly Field[]>
}

/** @param ids of users that are found: one at least */
export async function findListLimit(ask: Ask, ids: readonly string[]): Promise<ListLimit> {
  const [known = ''] = ids
  const usual = await signsOfUnknown(ask, ids)
  const found = new Map<string, readonly Field[]>()
  const others = Array.from({ length: MAX_LIST_VALUES + 1 }, (_, at) => String(at + 1)).filter(
    (id) => id !== known,
  )

  async function reactionTo(length: number): Promise<'answered' | 'refused' | 'cut short'> {
    // The known one comes last: it is missing where a list is cut short.
    const list = [...others.slice(0, length - 1), known]
    const outcome = await ask(questions.byId(list))
    for (const [name, fields] of foundIn(outcome)) found.set(name, fields)
    if (fieldsOf(outcome, known) !== null) return 'answered'
    if (meaningOfOutcome(outcome)?.kind === 'entries') return 'cut short'
    const sign = signOf(outcome)
    return sign !== null && usual.has(sign) ? 'answered' : 'refused'
  }

  let beyond = await reactionTo(MAX_LIST_VALUES)
  if (beyond === 'answered') return { most: null, beyond: null, found }
  let most = 1
  let more = MAX_LIST_VALUES
  while (more - most > 1) {
    const middle = (most + more) >> 1
    const reaction = await reactionTo(middle)
    if (reaction === 'answered') most = middle
    else {
      more = middle
      beyond = reaction
    }
  }
  return { most, beyond, found }
}

/**
 * How unknown identifiers are refused. A service that refuses every list with one has other words for
 * several, and names them all: of the length of the list, that says nothing.
 */
async function signsOfUnknown(ask: Ask, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const alone = signOf(await ask(questions.byId([UNKNOWN])))
  const [one = '', other] = ids
  // Where two known ones are refused, two of any are.
  const isForPairs = other !== undefined && fieldsOf(await ask(questions.byId([one, other])), one) !== null
  const pair = alone !== null && isForPairs ? signOf(await ask(questions.byId([UNKNOWN, UNKNOWN_TOO]))) : null
  return new Set([alone, pair].filter((sign) => sign !== null))
}

/**
 * A refusal without the numbers in it, or lists of them: that of an unknown identifier names it, that of a
 * list its length.
 */
function signOf(outcome: Outcome): string | null {
  const meaning = meaningOfOutcome(outcome)
  if (meaning?.kind !== 'refusal') return null
  return `${meaning.status} ${meaning.text.replace(/\d+(?:["',;:\s]{1,24}\d+)*/g, '#')}`
}
