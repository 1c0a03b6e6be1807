import {
  type EntryNames,
  type NamedMethod,
  type NameWord,
  nameWords,
  parseEntryNames,
} from '../../../entry-names.ts'
import { setting } from '../../../setting-kinds.ts'
import { habit, type Outcome } from './habit.ts'
import { fieldsIn, type Heard, type Probing, type Said } from './heard.ts'
import { nameOfUser, onlyId, onlyName, otherCase } from './known.ts'
import { questions } from './questions.ts'

/**
 * What an entry is named by. `lower` is a list that was put in lower case before all else, `read` is a loop
 * over values that were cast, `stored` one over the rows that were found, `id` an array by primary key, and
 * `username` one that is keyed by the name, whatever was asked for.
 */
export const keys = habit({
  setting: setting(
    'LEGACY_KEYS',
    'asked',
    `${nameWords.join(', ')}; and, after commas, others for single methods, such as chat=id`,
    "what names an entry: the value as it was asked for; the same in lower case (A to Z only); an id as it was read (7 for 007); the id, or the username as it is stored; always the user's id, or username",
    (text) => (parseEntryNames(text) === null ? undefined : text),
  ),
  effect: (value, outcome) =>
    outcome.areNamesSaidInXml && outcome.format === 'XML' ? null : effectOfNames(value, outcome),
  tell: tellNames,
})

/** What a setting of names did to an answer. */
export function effectOfNames(
  value: string,
  { values, names, areIds, areUsernames }: Pick<Outcome, 'values' | 'names' | 'areIds' | 'areUsernames'>,
): string | null {
  const asked = new Set(values)
  const word = entryNamesIn(value)[methodOf({ areIds, areUsernames })]
  return names.every((name) => asked.has(name)) || word === 'asked' ? null : effects[word]
}

/** The names of entries in the format in which questions are asked. */
export async function tellNames(probing: Probing): Promise<string> {
  const word = await wordFor(probing)
  const others = [await idsApart(probing, word), await chatsApart(probing, word)]
  return [word, ...others.filter((other) => other !== null)].join()
}

export function entryNamesIn(value: string): EntryNames {
  return parseEntryNames(value) ?? { id: 'asked', username: 'asked', chat: 'asked' }
}

export function methodOf(lookup: { readonly areIds: boolean; readonly areUsernames: boolean }): NamedMethod {
  return lookup.areIds ? 'id' : lookup.areUsernames ? 'username' : 'chat'
}

/** By usernames, and by ids where these have no more to say. */
async function wordFor(probing: Probing): Promise<NameWord> {
  const { ids, username } = probing
  const [id = ''] = ids
  const other = otherCase(username)
  if (username !== id && nameOfUser(await onlyId(probing, id), id) === username) return 'username'
  const byOther = nameOfUser(await onlyName(probing, other), id)
  const byName = byOther ?? nameOfUser(await onlyName(probing, username), id)
  if (byName === id && username !== id) return 'id'
  if (await isLower(probing, username, ids[0] ?? '', byOther)) return 'lower'
  if (byOther === username && other !== username)
    return lowerAscii(username) === username && (await isOtherLower(probing)) ? 'lower' : 'stored'
  // A service that takes no such text for an id names none by another.
  return (await nameOfLooseId(probing, id)) === id ? 'read' : 'asked'
}

/** Where ids are named otherwise than the word has it: as they were asked for, or as they were read. */
async function idsApart(probing: Probing, word: NameWord): Promise<string | null> {
  const [id = ''] = probing.ids
  const name = await nameOfLooseId(probing, id)
  if (name === null || word === 'username') return null
  if (name === id) return word === 'lower' ? 'id=read' : null
  return word === 'stored' || word === 'id' ? 'id=asked' : null
}

/** Where an identifier of the chat platform is known: only then it is seen. */
async function chatsApart({ ask, chatMethod, chat }: Probing, word: NameWord): Promise<string | null> {
  if (chat === null || chatMethod === null || chat.identifier === chat.id) return null
  const heard = await ask(questions.by(chatMethod, [chat.identifier]))
  const name = nameOfUser(heard, chat.id)
  const lower = lowerAscii(chat.identifier)
  const own = name === chat.identifier ? 'asked' : name === lower ? 'lower' : null
  const seen = own ?? (name === chat.id ? 'id' : isUsername(heard, name) ? 'username' : null)
  if (seen === null || (seen === 'asked' && word === 'lower' && lower === chat.identifier)) return null
  // All other words leave such an identifier as it was asked for.
  const expected = word === 'id' || word === 'username' || word === 'lower' ? word : 'asked'
  return seen === expected ? null : `chat=${seen}`
}

/** Whether an entry is named by the username that it has. */
function isUsername(heard: Heard | null, name: string | null): boolean {
  const fields = name === null ? null : fieldsIn(heard?.entries?.get(name))
  return fields?.some(([field, { text }]) => field === 'Username' && text === name) === true
}

async function nameOfLooseId(probing: Probing, id: string): Promise<string | null> {
  return nameOfUser(await onlyId(probing, `0${id}`), id) ?? nameOfUser(await onlyId(probing, `${id}abc`), id)
}

/**
 * Whether names are what was asked for in lower case: as it was, or in another.
 * @param byOther what the user is named by where it was asked for in another case
 */
async function isLower(
  probing: Probing,
  username: string,
  id: string,
  byOther: string | null,
): Promise<boolean> {
  const lower = lowerAscii(username)
  if (lower === username || byOther !== lowerAscii(otherCase(username))) return false
  return nameOfUser(await onlyName(probing, username), id) === lower
}

/** A username without capitals is its own lower case. Of the users that were met, one may have some. */
async function isOtherLower(probing: Probing): Promise<boolean> {
  const { found } = await probing.listLimit()
  const withCapitals = [...found.values()].find((said) => /^[!-~]*[A-Z]/.test(textOf(said, 'Username')))
  const [username, id] = [textOf(withCapitals, 'Username'), textOf(withCapitals, 'Id')]
  if (username === '') return false
  const byOther = nameOfUser(await onlyName(probing, otherCase(username)), id)
  return isLower(probing, username, id, byOther)
}

function textOf(said: Said | undefined, name: string): string {
  return fieldsIn(said)?.find(([field]) => field === name)?.[1].text ?? ''
}

const effects: Readonly<Record<Exclude<NameWord, 'asked'>, string>> = {
  lower: 'Entries are named by what was asked for in lower case.',
  read: 'Entries are named by the ids that were read.',
  stored: 'Entries are named by what is stored.',
  id: 'Entries are named by id.',
  username: 'Entries are named by username.',
}

/** PHP's strtolower(). */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
