import { integer } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'

/** The longest list of values, for a service that has no limit of its own. */
const MOST_VALUES = 10_000

export const maxValues = habit({
  setting: integer(
    'LEGACY_MAX_VALUES',
    '1000',
    1,
    MOST_VALUES,
    'how many distinct values one request may ask for',
  ),
  effect: (most, { error }) =>
    error?.code === 'TooManyValues' ? `More than ${most} values are refused.` : null,
  // What becomes of longer ones is LEGACY_TOO_MANY.
  tell: async ({ listLimit }) => String((await listLimit()).most ?? MOST_VALUES),
})
