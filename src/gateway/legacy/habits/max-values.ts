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
    error?.code === 'TooManyValues' ? `More than ${most} distinct values are refused.` : null,
  tell: async ({ listLimit }) => {
    const { most, beyond } = await listLimit()
    // Where longer lists are cut short, refusing them would take an answer from clients that have one.
    return String(most === null || beyond === 'cut short' ? MOST_VALUES : most)
  },
})
