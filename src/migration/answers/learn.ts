// An old service may respond differently to the same request. Such differences say nothing about the gateway.

import type { Reply } from '../../stores/old-service/call.ts'
import type { Allow } from './allowance.ts'
import { compareReplies } from './compare.ts'
import type { Comparison } from './difference.ts'

/** Milliseconds until the old service gets the request again: a time in seconds has changed by then. */
export const LEARN_DELAY_MS = 1_100

/**
 * Compares a new response with two of the old service to the same request. A field whose value differs
 * between these two does not count. If they differ in more, such as the status, the new response may mean the
 * same as either of them.
 * @param again the second response of the old service
 */
export function compareWithBoth(
  { old, again, fresh }: { readonly old: Reply; readonly again: Reply; readonly fresh: Reply },
  allow: Allow | null,
): Comparison {
  const changing = new Set<string>()
  compareReplies(old, again, (field, was, is) => {
    if (was === null || is === null) return null
    changing.add(field)
    return 'learned'
  })
  const allowed: Allow = (field, was, is) =>
    allow?.(field, was, is) ?? (was !== null && is !== null && changing.has(field) ? 'learned' : null)
  const first = compareReplies(old, fresh, allowed)
  if (first.differences.length === 0) return first
  const second = compareReplies(again, fresh, allowed)
  if (second.differences.length > 0) return first
  const learned = first.differences.map((difference) => ({ ...difference, reason: 'learned' }) as const)
  return { ...first, differences: [], ignored: [...second.ignored, ...learned] }
}
