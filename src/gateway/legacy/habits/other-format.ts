import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

/** Old services ask whether it is XML, and otherwise write JSON; or they ask whether it is JSON. */
export const otherFormat = habit({
  setting: oneOf(
    'LEGACY_OTHER_FORMAT',
    'refuse',
    ['refuse', 'json', 'xml'],
    'what a Format other than JSON and XML means: an error, JSON or XML',
  ),
  effect: (value, { parameters, format }) => {
    const isOther = parameters.some((given) => given.name === 'Format' && given.isOther)
    // Of several, another one may be the one that is read.
    return isOther && format === value.toUpperCase() ? `Another Format means ${format}.` : null
  },
  tell: async ({ ask, ids: [id = ''] }) => {
    const heard = await ask(`${questions.byId([id])}&Format=YAML`)
    if (heard?.entries == null) return 'refuse'
    return heard.root === '' ? 'json' : 'xml'
  },
})
