import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

/**
 * PHP reads the last, many others the first. ASP joins them with commas, which then stand in a value that
 * nothing has: clients that relied on that would have had no answer.
 */
export const repeated = habit({
  setting: oneOf(
    'LEGACY_REPEATED',
    'refuse',
    ['refuse', 'last', 'first'],
    'which value is read of a parameter that is given more than once; refuse: that is an error',
  ),
  effect: (value, { parameters }) => {
    const names = parameters.map(({ name }) => name)
    const twice = [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
    return twice.length === 0 ? null : `Of several values of ${twice.join(' and ')}, the ${value} is read.`
  },
  tell: async ({ ask, ids: [id = ''] }) => {
    const finds = async (one: string, other: string) => {
      const heard = await ask(`${questions.byId([one])}&Users=${other}`)
      return fieldsIn(heard?.entries?.get(id)) !== null
    }
    const first = await finds(id, UNKNOWN)
    const last = await finds(UNKNOWN, id)
    // Found whichever way, both values are read: no setting does that.
    return first && last ? null : first ? 'first' : last ? 'last' : 'refuse'
  },
})
