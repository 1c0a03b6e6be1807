import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions, UNKNOWN } from './questions.ts'

const { byId } = questions

/** Left out, or `null` and an empty `Data`. */
export const unknown = habit({
  setting: oneOf(
    'LEGACY_UNKNOWN',
    'omit',
    ['omit', 'null'],
    'what an identifier that matches nothing becomes',
  ),
  effect: (value, { missing }) => {
    if (missing.length === 0) return null
    const what =
      missing.length === 1
        ? 'The value that matches nothing is'
        : `The ${missing.length} values that match nothing are`
    const becomes = value === 'omit' ? 'left out' : 'null in JSON and an empty Data element in XML'
    return `${what} ${becomes}.`
  },
  tell: async ({ ask, ids: [id = ''] }) => {
    const heard = [await ask(byId([id, UNKNOWN])), await ask(byId([UNKNOWN]))]
    return heard.some((one) => one?.entries?.has(UNKNOWN)) ? 'null' : 'omit'
  },
})
