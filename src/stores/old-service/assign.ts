// Which entry of an answer belongs to which of the values in the call. Old services name entries by what was
// asked for, by the username as it is stored, or by the id, whatever the method was.

import type { Entries, Entry } from './answer.ts'
import type { FaultyEntry, OldServiceError } from './failure.ts'

/** What an answer says about the values of a call. A value that is in none of these was not found. */
interface Assignment {
  readonly entries: ReadonlyMap<string, Entry | FaultyEntry>
  /** Values of which the answer does not say whether they were found. */
  readonly unclear: ReadonlySet<string>
  /** Whether there are entries whose names are not understood: there may be more of what has none. */
  readonly hasStrays: boolean
}

export type Assign = (asked: ReadonlySet<string>, answer: Entries) => Assignment

/** For identifiers, which have one spelling each: an entry has its own, or is named by it. */
export const assignById: Assign = (asked, answer) => {
  const entries = new Map<string, Entry | FaultyEntry>()
  let hasStrays = false
  for (const [name, entry] of answer) {
    const owner = ownerById(name, entry, asked)
    if (owner === null || (name !== owner && !isNamedByUsername(name, entry))) hasStrays = true
    // What is named like it counts most.
    if (owner !== null && entry !== null && (name === owner || !entries.has(owner))) entries.set(owner, entry)
  }
  return { entries, unclear: openIn(asked, answer, entries, hasStrays), hasStrays }
}

function ownerById(
  name: string,
  entry: Entry | OldServiceError | null,
  asked: ReadonlySet<string>,
): string | null {
  const id = entry === null || entry instanceof Error ? undefined : entry.Id
  const own = (typeof id === 'number' || typeof id === 'string') && asked.has(String(id)) ? String(id) : null
  // A username may be a number that is asked for, too.
  if (asked.has(name) && (own === null || !isNamedByUsername(name, entry))) return name
  return own
}

/**
 * For identifiers that no entry has. A service that names entries in its own way does not say which of them
 * an entry is for, unless it is asked for one only.
 * @param namesOtherwise whether it does
 * @param noteOtherwise is told that it was seen doing so
 */
export function createAssignChats(namesOtherwise: () => boolean, noteOtherwise: () => void): Assign {
  return (asked, answer) => {
    const named = [...answer].filter(([, entry]) => entry !== null)
    const foreign = named.filter(([name]) => !asked.has(name))
    const hasStrays =
      [...answer].some(([name, entry]) => !asked.has(name) && entry === null) ||
      foreign.some(([name, entry]) => !isNamedById(name, entry) && !isNamedByUsername(name, entry))
    if (foreign.length > 0 && !hasStrays) noteOtherwise()
    const isOtherwise = named.length > 0 && !hasStrays && (foreign.length > 0 || namesOtherwise())
    const [only] = asked
    const [first] = named
    if (isOtherwise && asked.size === 1 && named.length === 1 && only !== undefined && first?.[1])
      return { entries: new Map([[only, first[1]]]), unclear: new Set(), hasStrays: false }
    const entries = new Map<string, Entry | FaultyEntry>()
    if (!isOtherwise)
      for (const [name, entry] of named) if (entry !== null && asked.has(name)) entries.set(name, entry)
    return { entries, unclear: openIn(asked, answer, entries, hasStrays || isOtherwise), hasStrays }
  }
}

/** The values that an answer leaves open. An entry that is null says that a value was not found. */
export function openIn(
  asked: ReadonlySet<string>,
  answer: Entries,
  entries: ReadonlyMap<string, unknown>,
  areOpen: boolean,
): ReadonlySet<string> {
  if (!areOpen) return new Set()
  return new Set([...asked].filter((value) => !entries.has(value) && answer.get(value) !== null))
}

export function isNamedById(name: string, entry: Entry | OldServiceError | null): boolean {
  return entry !== null && !(entry instanceof Error) && String(entry.Id) === name
}

function isNamedByUsername(name: string, entry: Entry | OldServiceError | null): boolean {
  return entry !== null && !(entry instanceof Error) && entry.Username === name
}
