// What an old service changes by itself, from one answer to the next, says nothing of the new one.

import type { Reply } from '../../stores/old-service/call.ts'
import type { Allow } from './allowance.ts'
import { compareReplies } from './compare.ts'
import type { Comparison, Difference } from './difference.ts'

/** Milliseconds until the old service is asked again: a time in seconds is another one by then. */
export const LEARN_DELAY_MS = 1_100

export interface LearnedComparison extends Comparison {
  /** Where the old service contradicts itself in more than the values of fields. */
  readonly unsteady: readonly Difference[]
}

/**
 * Compares a new answer with two of the old service to the same request. Fields whose values it changes by
 * itself do not count in this request. Where it changes more than these, such as the status, what counts is
 * whether the new answer means the same as one of the two.
 * @param again what the old service answered the second time
 */
export function compareWithBoth(
  { old, again, fresh }: { readonly old: Reply; readonly again: Reply; readonly fresh: Reply },
  allow: Allow | null,
): LearnedComparison {
  const changing = new Set<string>()
  const { differences: unsteady } = compareReplies(old, again, (field, was, is) => {
    if (was === null || is === null) return null
    changing.add(field)
    return 'learned'
  })
  const allowed: Allow = (field, was, is) =>
    allow?.(field, was, is) ?? (was !== null && is !== null && changing.has(field) ? 'learned' : null)
  const first = compareReplies(old, fresh, allowed)
  if (first.differences.length === 0 || unsteady.length === 0) return { ...first, unsteady }
  const second = compareReplies(again, fresh, allowed)
  if (second.differences.length > 0) return { ...first, unsteady }
  const learned = first.differences.map((difference) => ({ ...difference, reason: 'learned' }) as const)
  return { ...first, differences: [], ignored: [...second.ignored, ...learned], unsteady }
}
