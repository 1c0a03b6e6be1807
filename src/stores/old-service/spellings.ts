// Which entry of an answer belongs to which of the usernames in the call.
//
// Only the old service knows which spellings mean the same user. It may compare usernames exactly, or ignore
// case, accents or width. It may name an entry as the username was asked for, as it is stored, or by the
// user's id. This is certain:
//
// - An entry that is named exactly like a spelling in the call belongs to that spelling.
// - An entry that differs in ASCII case only from all similar spellings in the call belongs to all of these,
//   since the service ignores case.
// - Any other entry belongs to the spelling that it is similar to, if the call has no second similar one.
//
// Everything else is unclear. A service that names entries as they are stored has one entry for all spellings
// of a user: a spelling without an entry may be unknown, or mean that user. It is sent again without the
// spellings that are settled.

import { MAX_NAME_LENGTH } from '../../model.ts'
import type { Entries, Entry } from './answer.ts'
import { OldServiceError } from './failure.ts'

/** What an answer says about the values of a call. A value that is in neither was not found. */
export interface Assignment {
  readonly entries: ReadonlyMap<string, Entry>
  /** Values of which the answer does not say whether they were found. */
  readonly unclear: ReadonlySet<string>
}

/** @throws OldServiceError for an entry that belongs to no value of the call */
export type Assign = (asked: ReadonlySet<string>, answer: Entries) => Assignment

/** For identifiers, which have one spelling each. */
export const assignExact: Assign = (asked, answer) => {
  const entries = new Map<string, Entry>()
  for (const [name, entry] of answer) {
    if (!asked.has(name)) throw belongsToNobody()
    if (entry !== null) entries.set(name, entry)
  }
  return { entries, unclear: new Set() }
}

export const assignUsernames: Assign = (asked, answer) => {
  const similar = Map.groupBy(asked, similarity)
  const entries = new Map<string, Entry>()
  const others: [name: string, entry: Entry][] = []
  const found = new Set<readonly string[]>()
  for (const [key, entry] of answer) {
    const name = usernameById(key, entry, similar) ?? key
    const spellings = similar.get(similarity(name))
    if (spellings === undefined) throw belongsToNobody()
    if (entry === null) continue
    found.add(spellings)
    if (asked.has(name)) entries.set(name, entry)
    else others.push([name, entry])
  }
  for (const [name, entry] of others)
    for (const spelling of certainOwners(name, similar.get(similarity(name)) ?? []))
      if (!entries.has(spelling)) entries.set(spelling, entry)
  // An entry that is null says of the spelling it is named like that it was not found.
  const isOpen = (spelling: string) => !entries.has(spelling) && answer.get(spelling) !== null
  return { entries, unclear: new Set([...found].flat().filter(isOpen)) }
}

/** The spellings that an entry certainly belongs to, none of them spelled like it. */
function certainOwners(name: string, spellings: readonly string[]): readonly string[] {
  const differInCase = spellings.every((spelling) => lowerAscii(spelling) === lowerAscii(name))
  return spellings.length === 1 || differInCase ? spellings : []
}

/** The username of an entry that is named by the id of its user; `null` for another entry. */
function usernameById(key: string, entry: Entry | null, asked: ReadonlyMap<string, unknown>): string | null {
  const username = entry?.Username
  if (typeof username !== 'string' || String(entry?.Id) !== key) return null
  // Usernames may be numbers, too.
  const isNamedByUsername = similarity(username) === similarity(key)
  return isNamedByUsername || !asked.has(similarity(username)) ? null : username
}

/**
 * The same for all spellings that any old service might take for the same username. What is longer than any
 * that may be asked for is like none of them, and is not normalised: that takes quadratic time.
 */
function similarity(username: string): string {
  if (username.length > MAX_NAME_LENGTH) return username
  return username
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim()
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function belongsToNobody(): OldServiceError {
  return new OldServiceError('the old service answers with entries that were not asked for')
}
