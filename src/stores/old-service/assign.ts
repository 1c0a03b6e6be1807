// Decides which entry of a response belongs to which value of the call. Whatever the method of the lookup is,
// an old service names an entry by the value of the call, by the stored username, or by the id. A wrong
// assignment shows a client the data of another user: a value that is not certain stays doubtful, and gets a
// call of its own (query.ts).

import { MAX_NAME_LENGTH } from '../../model.ts'
import type { OldServiceEntries, OldServiceEntry } from './entries.ts'
import type { OldServiceError } from './failure.ts'

interface Assignment {
  readonly entries: ReadonlyMap<string, OldServiceEntry | OldServiceError>
  /** Values whose user may exist although they have no entry. The users of all other values do not exist. */
  readonly doubtful: Iterable<string>
  /** Whether an entry belongs to no value: then all values are doubtful. */
  readonly hasStrays: boolean
}

export type Assign = (values: ReadonlySet<string>, response: OldServiceEntries) => Assignment

/** Assigns entries by the id that is their name or their field `Id`: an id has only one spelling. */
export const assignById: Assign = (values, response) => {
  const entries = new Map<string, OldServiceEntry | OldServiceError>()
  let hasStrays = false
  for (const [name, entry] of response) {
    const id = idOf(entry)
    const own = id !== null && values.has(id) ? id : null
    const isUsername = name === usernameOf(entry)
    // A username may be a number that is the id of another user.
    const owner = values.has(name) && (own === null || !isUsername) ? name : own
    if (owner === null || (name !== owner && !isUsername)) hasStrays = true
    if (owner !== null && entry !== null) entries.set(owner, entry)
  }
  return { entries, doubtful: [], hasStrays }
}

/**
 * Assigns entries by the chat identifier that is their name: no entry has it as a field. If the service names
 * an entry by the id or the username of the user, the entry is certain only if a call has one value.
 */
export const assignByChat: Assign = (values, response) => {
  const isNamedByUser = (name: string, entry: OldServiceEntry | Error | null) =>
    name === idOf(entry) || name === usernameOf(entry)
  const found = [...response].flatMap(([name, entry]) => (entry === null ? [] : [[name, entry] as const]))
  const hasStrays = [...response].some(([name, entry]) => !values.has(name) && !isNamedByUser(name, entry))
  // All entries are named by chat identifiers; or the caller takes all values as doubtful, due to strays.
  if (hasStrays || !found.some(([name, entry]) => isNamedByUser(name, entry)))
    return { entries: new Map(found.filter(([name]) => values.has(name))), doubtful: [], hasStrays }
  // At least one entry is named by the id or the username of its user.
  const [value = ''] = values
  const isCertain = values.size === 1 && found.length === 1
  const entries = new Map(isCertain ? found.map(([, entry]) => [value, entry] as const) : [])
  return { entries, doubtful: values, hasStrays }
}

/**
 * Assigns entries by usernames. Only the old service knows which spellings mean the same user: it may ignore
 * case, accents or width. These rules are certain:
 *
 * - An entry that is named exactly like a spelling of the call belongs to this spelling.
 * - An entry that differs in ASCII case only from all similar spellings belongs to all of them.
 * - Any other entry belongs to the spelling that it is similar to, if there is only one.
 *
 * All other spellings are doubtful. If a service names entries by the stored username, all spellings of a
 * user share one entry: a spelling without an entry may be unknown, or mean this user.
 */
export const assignByUsername: Assign = (values, response) => {
  const similar = Map.groupBy(values, similarity)
  const entries = new Map<string, OldServiceEntry | OldServiceError>()
  const others: [name: string, spellings: readonly string[], OldServiceEntry | OldServiceError][] = []
  const doubtful: string[] = []
  let hasStrays = false
  for (const [key, entry] of response) {
    const [id, username] = [idOf(entry), usernameOf(entry)]
    const isNamed = values.has(key) && key !== id
    const name = !isNamed && username !== null && similar.has(similarity(username)) ? username : key
    const spellings = similar.get(similarity(name))
    if (spellings === undefined || (similarity(name) !== similarity(key) && key !== id)) hasStrays = true
    if (spellings === undefined || entry === null) continue
    doubtful.push(...spellings)
    if (values.has(name)) entries.set(name, entry)
    else others.push([name, spellings, entry])
  }
  for (const [name, spellings, entry] of others) {
    const differInCase = spellings.every((spelling) => lowerAscii(spelling) === lowerAscii(name))
    if (spellings.length > 1 && !differInCase) continue
    for (const spelling of spellings) if (!entries.has(spelling)) entries.set(spelling, entry)
  }
  return { entries, doubtful, hasStrays }
}

/** Letters that NFKD keeps, and that a collation of MySQL takes as equal to others; s stands for ss, too. */
const letters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 's', ss: 's', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i' }),
)

/**
 * Returns the same text for all spellings that some old service may take for the same username. A name that
 * is too long for a call is similar to no other name: to normalise it would take quadratic time.
 */
function similarity(username: string): string {
  if (username.length > MAX_NAME_LENGTH) return username
  return username
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ss|[ßæœøłđðı]/g, (letter) => letters.get(letter) ?? letter)
    .trim()
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

const idOf = (entry: OldServiceEntry | Error | null) => textIn(entry, 'Id')
const usernameOf = (entry: OldServiceEntry | Error | null) => textIn(entry, 'Username')

function textIn(entry: OldServiceEntry | Error | null, field: string): string | null {
  const value = entry === null || entry instanceof Error ? null : entry[field]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
