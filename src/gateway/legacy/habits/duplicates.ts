import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

/** `each` is the XML of a loop over the list. An object of JSON cannot have a member twice. */
export const duplicates = habit({
  setting: oneOf(
    'LEGACY_DUPLICATES',
    'once',
    ['once', 'each'],
    'whether a value that is given twice is one entry, or one each time: in XML, and for LEGACY_MAX_VALUES',
  ),
  effect: (_, { format, values, error }) => {
    if (error?.code === 'TooManyValues') return 'A value counts as often as it is given.'
    return format === 'XML' && new Set(values).size < values.length
      ? 'A value that is given more than once is answered each time.'
      : null
  },
  tell: async ({ ask, ids: [id = ''], listLimit }) => {
    const heard = await ask(questions.inXml(questions.byId([id, id])))
    // Where one value is all that may be asked for, the same one twice is too many only if it counts twice.
    if (heard?.isRefusal) return (await listLimit()).most === 1 ? 'each' : 'once'
    return heard?.entries != null && heard.text.split('<Data').length > 2 ? 'each' : 'once'
  },
})
