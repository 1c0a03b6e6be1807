import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'

const setting = oneOf(
  'LEGACY_NO_VALUES',
  'refuse',
  ['refuse', 'refuse-empty', 'refuse-missing', 'empty'],
  'which lists without values are an error: all, empty and missing ones (refuse-empty), missing ones (refuse-missing), or none; others are answered without entries',
)

/** PHP's `empty()` refuses what is missing or empty, `isset()` what is missing, and `explode()` nothing. */
export const noValues = habit({
  setting,
  effect: (_, { error, isListMissing, values }) => {
    if (error === null)
      return values.length === 0 ? 'A list without values is answered without entries.' : null
    return isListMissing ? 'A list without values is refused.' : null
  },
  tell: async ({ ask }) => {
    const isAnswered = async (list: string) => (await ask(`Event=ProfileLookup${list}`))?.entries != null
    if (await isAnswered('')) return 'empty'
    if (await isAnswered('&Users=')) return 'refuse-missing'
    return (await isAnswered('&Users=::')) ? 'refuse-empty' : 'refuse'
  },
})

/** Whether a list in which there are no values is answered. */
export function answersNoValues(value: typeof setting.fallback, list: string | undefined): boolean {
  if (value === 'refuse') return false
  if (list === undefined) return value === 'empty'
  return list !== '' || value !== 'refuse-empty'
}
