import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'

/** `cut` is PHP's `array_slice`, or a loop that ends early. */
export const tooMany = habit({
  setting: oneOf(
    'LEGACY_TOO_MANY',
    'refuse',
    ['refuse', 'cut'],
    'whether a list of more than LEGACY_MAX_VALUES is an error, or is cut short',
  ),
  effect: (value, { isCut }) =>
    value === 'cut' && isCut ? 'The values beyond LEGACY_MAX_VALUES are left out.' : null,
  tell: async ({ listLimit }) => ((await listLimit()).beyond === 'cut short' ? 'cut' : 'refuse'),
})
