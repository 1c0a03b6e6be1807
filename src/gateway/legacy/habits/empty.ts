import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isRefused } from './heard.ts'
import { UNKNOWN } from './questions.ts'
import { hearUnknown } from './unknown-heard.ts'

/** An empty array is a list to PHP, unless it is told otherwise. */
export const empty = habit({
  setting: oneOf(
    'LEGACY_EMPTY',
    '{}',
    ['{}', '[]', 'refuse'],
    'what an answer without any entry is; refuse: an error with LEGACY_UNKNOWN_TEXT',
  ),
  effect: (value, { error, entries, format }) => {
    if (value === 'refuse')
      return error?.code === 'NothingFound' ? 'An answer without any entry is an error.' : null
    return value === '[]' && error === null && entries === 0 && format === 'JSON'
      ? 'An answer without any entry is [].'
      : null
  },
  tell: async (probing) => {
    const { pair, alone } = await hearUnknown(probing)
    if (isRefused(alone)) return pair?.entries?.has(UNKNOWN) === false ? 'refuse' : null
    const text = alone?.text.trim()
    return text === '[]' || text === '{}' ? text : null
  },
})
