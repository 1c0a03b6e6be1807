// How many second attempts there may be: servers that all fail are not asked twice as much for it.

/** How many second attempts there may be at once, */
const MAX_RETRIES = 20
/** and for each query that goes well, how much of another one. */
const RETRIES_EARNED_PER_QUERY = 0.1

interface RetryBudget {
  readonly hasAny: () => boolean
  /** Takes one second attempt. @returns whether there was one */
  readonly take: () => boolean
  /** A query went well. */
  readonly earn: () => void
}

export function createRetryBudget(): RetryBudget {
  let left = MAX_RETRIES
  const hasAny = () => left >= 1
  return {
    hasAny,
    take: () => {
      if (!hasAny()) return false
      left--
      return true
    },
    earn: () => {
      left = Math.min(MAX_RETRIES, left + RETRIES_EARNED_PER_QUERY)
    },
  }
}
