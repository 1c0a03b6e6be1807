import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isFound, onlyName } from './known.ts'

const setting = oneOf(
  'LEGACY_LIST',
  'colon',
  ['colon', 'colon-trimmed', 'colon-comma', 'colon-comma-trimmed'],
  'what separates the values of a list, and whether blanks around each value are dropped',
)

type List = (typeof setting)['fallback']

/** What separates values, and whether blanks around each of them are dropped. */
export const list = habit({
  setting,
  effect: (value, { list }) => {
    const commas = separators[value] !== 'colons' && list.includes(',')
    const blanks = isTrimmed(value) && list.split(/[:,]/).some((one) => trimmed(one) !== one)
    if (commas) return blanks ? 'Commas separate values, and blanks around them are dropped.' : commasOnly
    return blanks ? 'Blanks around values are dropped.' : null
  },
  // By usernames: of ids, a cast to a number may be what drops a blank or a comma.
  tell: async (probing) => {
    const { username } = probing
    if (username === '') return null
    const one = await onlyName(probing, `${username},`)
    // Where an empty value is an error, the comma needs one behind it.
    const either = one?.isRefusal ? await onlyName(probing, `${username},${username}`) : one
    const comma = isFound(either, probing)
    const blank = isFound(await onlyName(probing, ` ${username}`), probing)
    return `colon${comma ? '-comma' : ''}${blank ? '-trimmed' : ''}`
  },
})

const commasOnly = 'Commas separate values.'

/** As documentation says it. */
export const separators: Readonly<Record<List, string>> = {
  colon: 'colons',
  'colon-trimmed': 'colons',
  'colon-comma': 'colons or commas',
  'colon-comma-trimmed': 'colons or commas',
}

const isTrimmed = (value: List) => value.endsWith('-trimmed')

/** Makes a list one with bare values between colons; `null` where it is read as it stands. */
export function listReader(value: List): ((list: string) => string) | null {
  if (value === 'colon') return null
  const colons =
    separators[value] === 'colons' ? (list: string) => list : (list: string) => list.replaceAll(',', ':')
  return isTrimmed(value) ? (list) => colons(list).split(':').map(trimmed).join(':') : colons
}

/** PHP's `trim`: ASCII only. A NUL is refused before. An expression would go back over inner blanks. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Space, tab, line feed, vertical tab, carriage return; a form feed stays. */
const isBlank = (unit: number) =>
  unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0b || unit === 0x0d
