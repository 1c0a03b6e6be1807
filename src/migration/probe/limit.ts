// How many identifiers a list may have, found by halving.

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

/**
 * @param known an identifier that is found
 * @param unknown the answer to one that is not, which may be a refusal of its own
 */
export async function findListLimit(ask: Ask, known: string, unknown: Outcome): Promise<ListLimit> {
  const usual = signOf(unknown)
  const found = new Map<string, readonly Field[]>()
  const others = Array.from({ length: MAX_LIST_VALUES + 1 }, (_, at) => String(at + 1)).filter(
    (id) => id !== known,
  )

  async function reactionTo(length: number): Promise<'answered' | 'refused' | 'cut short'> {
    // The known one comes last: it is missing where a list is cut short.
    const list = [...others.slice(0, length - 1), known]
    const outcome = await ask(`Event=ProfileLookup&Users=${list.join(':')}`)
    for (const [name, fields] of foundIn(outcome)) found.set(name, fields)
    if (fieldsOf(outcome, known) !== null) return 'answered'
    if (meaningOfOutcome(outcome)?.kind === 'entries') return 'cut short'
    const sign = signOf(outcome)
    return sign !== null && sign === usual ? 'answered' : 'refused'
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

/** A refusal without the numbers in it: that of an unknown identifier names it, that of a list its length. */
function signOf(outcome: Outcome): string | null {
  const meaning = meaningOfOutcome(outcome)
  return meaning?.kind === 'refusal' ? `${meaning.status} ${meaning.text.replace(/\d+/g, '#')}` : null
}
