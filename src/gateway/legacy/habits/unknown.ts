import { parseEntryTemplate } from '../../../entry-template.ts'
import { setting } from '../../../setting-kinds.ts'
import { type Habit, habit } from './habit.ts'
import { isRefused } from './heard.ts'
import { UNKNOWN } from './questions.ts'
import { formOfEntry } from './unknown-entry.ts'
import { hearUnknown } from './unknown-heard.ts'

/** Words for what JSON has for an entry, and what /explain says of each. */
const words = {
  omit: 'left out',
  null: 'null',
  false: 'false',
  '{}': '{}',
  '[]': '[]',
  nulls: 'fields of null',
  'nulls+0': 'fields of null and 0',
  'nulls+false': 'fields of null and false',
  'nulls+0+false': 'fields of null, 0 and false',
  zeros: 'fields of 0, "" and false',
  error: 'an error',
  refuse: 'refused',
} as const

const isWord = (text: string): text is keyof typeof words => Object.hasOwn(words, text)

export const unknown: Habit<string, 'LEGACY_UNKNOWN'> = habit({
  setting: setting(
    'LEGACY_UNKNOWN',
    'omit',
    `${Object.keys(words).join(', ')}, or an object such as {"error":"{message}"}`,
    'what an identifier that matches nothing becomes; nulls: all fields null, or integers 0 and booleans false; zeros: all fields as PHP casts null; error: an entry with LEGACY_UNKNOWN_TEXT, which stands for {message} in an object; refuse: the whole answer is that error',
    (text) => (isWord(text) || parseEntryTemplate(text) !== null ? text : undefined),
  ),
  effect: (value, { missing, error, format, isMissingSaidInXml }) => {
    if (value === 'refuse')
      return error?.code === 'NothingFound' ? 'The whole answer is an error: a value matches nothing.' : null
    if (missing.length === 0 || (format === 'XML' && isMissingSaidInXml)) return null
    const what =
      missing.length === 1
        ? 'The value that matches nothing is'
        : `The ${missing.length} values that match nothing are`
    if (format === 'XML') return `${what} an empty Data element.`
    return `${what} ${isWord(value) ? words[value] : 'an entry as the setting has it'}.`
  },
  tell: async (probing) => {
    const { pair, alone } = await hearUnknown(probing)
    const heard = [pair, alone].find((one) => one?.entries?.has(UNKNOWN) === true)
    if (heard != null) return formOfEntry(heard, probing)
    if (pair?.entries != null) return 'omit'
    // A list of two is refused for being two, where that is too many: then the other is all there is to see.
    return isRefused(pair ?? alone) ? 'refuse' : alone?.entries == null ? null : 'omit'
  },
})
