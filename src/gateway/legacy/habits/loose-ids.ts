import { parseId } from '../../../model.ts'
import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isRefused } from './heard.ts'
import { isFound, onlyId } from './known.ts'
import { castToInt, isNumeric } from './php-numbers.ts'
import { questions, UNKNOWN } from './questions.ts'

const setting = oneOf(
  'LEGACY_LOOSE_IDS',
  'digits',
  ['digits', 'exact', 'canonical', 'php', 'numeric'],
  'how numeric identifiers are read: 007 is 7 (digits), matches nothing (exact) or is malformed (canonical); 1abc is 1, as PHP casts it (php); 1.0 is 1, as is_numeric allows it (numeric)',
)

type LooseIds = (typeof setting)['fallback']

/**
 * What is a numeric identifier besides the usual digits. `007` is 7 by a cast of digits, nothing by a
 * comparison of texts, and malformed by an expression such as [1-9]\d*; `1abc` is 1 by PHP's cast, and `1.0`
 * by `is_numeric` and a cast.
 */
export const looseIds = habit({
  setting,
  effect: (value, { areIds, values }) => {
    if (!areIds || value === 'digits') return null
    const read = idReader({ looseIds: value, malformed: 'unknown' })
    const differs = values.some((one) => {
      const id = read(one)
      return (id !== null && isOfSome(id) ? id : null) !== parseId(one)
    })
    return differs ? effects[value] : null
  },
  tell: async (probing) => {
    const { ids, ask, listLimit } = probing
    const [id = ''] = ids
    if (isFound(await onlyId(probing, `${id}abc`), probing)) return 'php'
    if (isFound(await onlyId(probing, `${id}.0`), probing)) return 'numeric'
    if (isFound(await onlyId(probing, `0${id}`), probing)) return 'digits'
    // Beside a known one, if there may be two: where nothing is found, some services refuse whatever was
    // asked.
    const beside = (await listLimit()).most === 1 ? [] : [id]
    const refuses = async (text: string) => isRefused(await ask(questions.byId([...beside, text])))
    return (await refuses(`0${id}`)) && !(await refuses(UNKNOWN)) ? 'canonical' : 'exact'
  },
})

const effects: Readonly<Record<Exclude<LooseIds, 'digits'>, string>> = {
  exact: 'A numeric identifier with leading zeros matches nothing.',
  canonical: 'A numeric identifier with leading zeros is malformed.',
  php: "Numeric identifiers are read as PHP's cast to int reads them.",
  numeric: "Numeric identifiers are what PHP's is_numeric accepts, cast to int.",
}

const DIGITS = 'digits only, up to 9007199254740991'

/** What an identifier has to be, for the message about one that is not. */
export const idForms: Readonly<Record<LooseIds, string>> = {
  digits: DIGITS,
  exact: DIGITS,
  canonical: `${DIGITS}, without leading zeros`,
  php: 'a text that starts with a number from 1 on',
  numeric: 'a number',
}

/**
 * Reads the text of an identifier. @returns what an entry would be named by, whether there is such an id
 * (`isOfSome`) or not; `null` where it is malformed
 */
export function idReader({ looseIds, malformed }: Reading): (text: string) => string | null {
  if (looseIds === 'php' && malformed !== 'unknown') return positive
  return readers[looseIds]
}

interface Reading {
  readonly looseIds: LooseIds
  readonly malformed: 'reject' | 'unknown' | 'drop'
}

const readers: Readonly<Record<LooseIds, (text: string) => string | null>> = {
  digits: parseId,
  exact: (text) => (parseId(text) === null ? null : text),
  canonical: (text) => (parseId(text) === text ? text : null),
  php: castToInt,
  numeric: (text) => (isNumeric(text) ? castToInt(text) : null),
}

/**
 * A cast cannot fail. A service that refuses or drops all the same looks at what came of it: 0, or below it,
 * is no id.
 */
function positive(text: string): string | null {
  const id = castToInt(text)
  return id === '0' || id.startsWith('-') ? null : id
}

/** Whether a user or an app may have the id that was read: ids are given from 1 on. */
export function isOfSome(id: string): boolean {
  return id !== '0' && parseId(id) === id
}
