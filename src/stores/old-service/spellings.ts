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
import type { Entry } from './answer.ts'
import { type Assign, isNamedById, openIn } from './assign.ts'
import type { FaultyEntry } from './failure.ts'

export const assignUsernames: Assign = (asked, answer) => {
  const similar = Map.groupBy(asked, similarity)
  const entries = new Map<string, Entry | FaultyEntry>()
  const others: [name: string, entry: Entry | FaultyEntry][] = []
  const found = new Set<readonly string[]>()
  let hasStrays = false
  for (const [key, entry] of answer) {
    const own = ownUsername(key, entry, asked, similar)
    const name = own ?? key
    const spellings = similar.get(similarity(name))
    if (spellings === undefined || (own !== null && !isNamedById(key, entry))) hasStrays = true
    if (spellings === undefined || entry === null) continue
    found.add(spellings)
    if (asked.has(name)) entries.set(name, entry)
    else others.push([name, entry])
  }
  for (const [name, entry] of others)
    for (const spelling of certainOwners(name, similar.get(similarity(name)) ?? []))
      if (!entries.has(spelling)) entries.set(spelling, entry)
  const open = hasStrays ? asked : new Set([...found].flat())
  return { entries, unclear: openIn(open, answer, entries, true), hasStrays }
}

/** The spellings that an entry certainly belongs to, none of them spelled like it. */
function certainOwners(name: string, spellings: readonly string[]): readonly string[] {
  const differInCase = spellings.every((spelling) => lowerAscii(spelling) === lowerAscii(name))
  return spellings.length === 1 || differInCase ? spellings : []
}

/** The username that an entry has, where it is not named by one that was asked for; `null` otherwise. */
function ownUsername(
  key: string,
  entry: Entry | FaultyEntry | null,
  asked: ReadonlySet<string>,
  similar: ReadonlyMap<string, unknown>,
): string | null {
  const username = entry === null || entry instanceof Error ? null : entry.Username
  if (typeof username !== 'string' || !similar.has(similarity(username))) return null
  // Usernames may be numbers, too.
  if (similarity(username) === similarity(key)) return null
  return asked.has(key) && !isNamedById(key, entry) ? null : username
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
