import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { type Heard, isRefused, type Probing } from './heard.ts'
import { MALFORMED } from './malformed.ts'
import { questions } from './questions.ts'
import { entryAsWritten, hearUnknown } from './unknown-heard.ts'

/**
 * An empty array is a list to PHP, unless it is told otherwise, and so is one whose keys are 0, 1, 2 and so
 * on. A variable that nothing was put in is `null` in JSON. A script that leaves early where it found nothing
 * has an error for that, or has written nothing at all yet: in either format, and even where it would have
 * `null` for single values.
 */
export const empty = habit({
  setting: oneOf(
    'LEGACY_EMPTY',
    '{}',
    ['{}', '[]', 'null', 'none', 'refuse'],
    'JSON in which nothing is found; []: entries named 0, 1, 2 … are a list, too, as in PHP; none: no body, in XML, too; refuse: an error with LEGACY_UNKNOWN_TEXT',
  ),
  effect: (value, { error, entries, values, missing, format, isList }) => {
    if (value === 'refuse')
      return error?.code === 'NothingFound' ? 'An answer in which nothing is found is an error.' : null
    if (error !== null) return null
    if (value === 'none')
      return missing.length === values.length ? 'An answer in which nothing is found has no body.' : null
    if (isList && entries > 0) return 'Entries named 0, 1, 2 and so on are a list.'
    return entries === 0 && format === 'JSON' ? `An answer without any entry is ${value}.` : null
  },
  tell: async (probing) => {
    const { pair, alone } = await hearUnknown(probing)
    if (isRefused(alone)) {
      const isOtherwise = pair?.entries != null && entryAsWritten(alone) === undefined
      return isOtherwise ? 'refuse' : null
    }
    const text = alone?.text.trim()
    if (isNoBody(alone)) return 'none'
    return words.find((word) => word === text) ?? ((await isListElsewhere(probing)) ? '[]' : null)
  },
})

const words = ['{}', '[]', 'null'] as const

/** Where what is no number is cast to 0, an array has nothing but that key. */
async function isListElsewhere({ ask }: Probing): Promise<boolean> {
  const heard = await ask(questions.byId([MALFORMED]))
  return heard?.entries?.size === 1 && heard.root === '' && heard.text.trimStart().startsWith('[')
}

/** With any other status it is an error. */
export function isNoBody(heard: Pick<Heard, 'status' | 'text'> | null): boolean {
  return heard?.status === 200 && heard.text === ''
}
