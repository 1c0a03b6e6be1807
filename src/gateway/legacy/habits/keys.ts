import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import type { Probing } from './heard.ts'
import { nameOfUser, onlyId, onlyName, otherCase } from './known.ts'

const setting = oneOf(
  'LEGACY_KEYS',
  'asked',
  ['asked', 'lower', 'read', 'stored', 'id'],
  "what names an entry: the value as it was asked for; the same in lower case (A to Z only); an id as it was read (7 for 007); the id, or the username as it is stored; always the user's id",
)

type Keys = (typeof setting)['fallback']

/**
 * What an entry is named by. `lower` is a list that was put in lower case before all else, `read` is a loop
 * over values that were cast, `stored` one over the rows that were found, and `id` an array by primary key.
 */
export const keys = habit({
  setting,
  effect: (value, { values, names }) => {
    const asked = new Set(values)
    return names.every((name) => asked.has(name)) || value === 'asked' ? null : effects[value]
  },
  tell: async (probing) => {
    const { ids, username } = probing
    const [id = ''] = ids
    const other = otherCase(username)
    const byOther = nameOfUser(await onlyName(probing, other), id)
    const byName = byOther ?? nameOfUser(await onlyName(probing, username), id)
    if (byName === id && username !== id) return 'id'
    if (await isLower(probing, byOther)) return 'lower'
    // A service that takes no such text for an id names none by another.
    const isRead = (await nameOfLooseId(probing, id)) === id
    if (byOther === null || other === username) return isRead ? 'read' : 'asked'
    return byOther === username ? 'stored' : isRead ? 'read' : 'asked'
  },
})

async function nameOfLooseId(probing: Probing, id: string): Promise<string | null> {
  return nameOfUser(await onlyId(probing, `0${id}`), id) ?? nameOfUser(await onlyId(probing, `${id}abc`), id)
}

/** Whether names are what was asked for in lower case: as it was, or in another. */
async function isLower(probing: Probing, byOther: string | null): Promise<boolean> {
  const { ids, username } = probing
  const lower = lowerAscii(username)
  if (lower === username || byOther !== lowerAscii(otherCase(username))) return false
  return nameOfUser(await onlyName(probing, username), ids[0] ?? '') === lower
}

const effects: Readonly<Record<Exclude<Keys, 'asked'>, string>> = {
  lower: 'Entries are named by what was asked for in lower case.',
  read: 'Entries are named by the ids that were read.',
  stored: 'Entries are named by what is stored.',
  id: 'Entries are named by id.',
}

/** PHP's strtolower(). */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** As documentation says it. */
export const namedBy: Readonly<Record<Keys, string>> = {
  asked: 'as it was asked for',
  lower: 'as it was asked for, in lower case',
  read: 'as it was asked for, an identifier as it was read',
  stored: 'as it is stored',
  id: 'by its numeric identifier',
}
