import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { valuesOf } from './heard.ts'

/** Old MySQL drivers give every column as text, and PHP passes it on. */
export const numbers = habit({
  setting: oneOf('LEGACY_NUMBERS', 'number', ['number', 'string'], 'how JSON writes integers: 1 or "1"'),
  effect: (value, { format, error }) =>
    value === 'string' && format === 'JSON' && error === null ? 'Integers are strings.' : null,
  tell: async (probing) => {
    const said = await valuesOf(probing, ['Id', 'Rank', 'JoinDate'])
    const types = new Set(said.map(({ type }) => type))
    if (types.size !== 1) return null
    return types.has('number') ? 'number' : types.has('string') ? 'string' : null
  },
})
