// Finds choices that the responses leave open: another value explains all of them as well. For each, there is
// a request whose response would decide.

import type { Dialect } from '../../legacy/dialect.ts'
import { valueAt, withValue } from '../../legacy/dialect-places.ts'
import { createFacade } from '../../legacy/facade.ts'
import { type KnownRows, legacyResponseTo, rowFinder } from '../../legacy/known-rows.ts'
import { unseenChoices } from './fit.ts'
import type { ProbeResult } from './probe.ts'
import { apps, by, inFormat, users } from './requests.ts'
import { keyOf } from './responses.ts'

interface UnseenChoice {
  /** Such as `read.usernames`. */
  readonly choice: string
  readonly value: unknown
  /** Other values that explain as much. */
  readonly others: readonly unknown[]
  /** A request whose response decides, and the data that it needs. */
  readonly request: string
  readonly needs: string
}

/** Texts that show how a character is written. */
const specimens: readonly (readonly [text: string, name: string])[] = [
  ['é', 'a letter beyond ASCII'],
  ['€', 'the character €'],
  ["it's", 'an apostrophe'],
  ['a "b"', 'quotation marks'],
  ['a & b', 'an ampersand'],
  ['a < b', 'a < or >'],
  ['a/b', 'a slash'],
  ['', 'nothing'],
  ['0012', 'only digits'],
  ['a\tb', 'a tab or a line end'],
  ['Zoe', 'capital letters'],
  ['zoé', 'an accent'],
  ['zof', 'only small letters'],
  ['😀', 'a character beyond U+FFFF'],
  ['a=b', 'an equals sign'],
  ['a+b', 'a plus sign'],
  ['a\u2028b', 'a line separator (U+2028)'],
]
const FIRST_ID = 900_001

/** Leaves out values if none of these requests decides: mostly another choice makes them irrelevant. */
export function findUnseen(probed: ProbeResult): UnseenChoice[] {
  const { dialect, evidence, known, testRequests, client } = probed
  const find = rowFinder(withSpecimens(evidence.rows))
  const unsent = testRequests.filter(({ query }) => !client.outcomes.has(query))
  const candidates = [...unsent.map(({ query }) => ({ query, needs: '' })), ...candidatesFor(known)]
  const responderOf = (one: Dialect) => {
    const facade = createFacade(one, evidence.maxValues)
    return ({ query }: RequestCandidate) => keyOf(legacyResponseTo(facade, find, query))
  }
  const respondNow = responderOf(dialect)
  const now = new Map(candidates.map((candidate) => [candidate, respondNow(candidate)]))
  return unseenChoices(evidence, dialect).flatMap(({ path, values }) => {
    // Each request may decide about some of the values.
    const found = new Map<RequestCandidate, unknown[]>()
    for (const value of values) {
      const respond = responderOf(withValue(dialect, path, value))
      const all = [...found.keys(), ...candidates]
      const candidate = all.find((one) => respond(one) !== now.get(one))
      if (candidate !== undefined) found.set(candidate, [...(found.get(candidate) ?? []), value])
    }
    const [choice, value] = [path.join('.'), valueAt(dialect, path)]
    return [...found].map(([{ query, needs }, others]): UnseenChoice => {
      // The specimens are not rows of the service.
      return { choice, value, others, request: query.replace(/\b9000\d\d\b/g, 'ID'), needs }
    })
  })
}

function withSpecimens({ users: known, apps: knownApps }: KnownRows): KnownRows {
  const users = specimens.map(([text], at) => ({
    id: FIRST_ID + at,
    username: text,
    displayName: text,
    chatId: `Chat-${at}`,
    rank: at % 3,
    joinDate: 100 - at,
    isConfirmed: at % 2 === 0,
    banned: at % 2 === 1,
  }))
  const titled = specimens.map(([title], at) => {
    const links = { changelogLink: `https://a.example/${title}`, downloadLink: `https://a.example/${title}/` }
    return { id: FIRST_ID + at, title, version: '1.0.0', category: at % 3, ...links }
  })
  return { users: [...known, ...users], apps: [...knownApps, ...titled] }
}

interface RequestCandidate {
  readonly query: string
  readonly needs: string
}

function candidatesFor({ apps: known, chatMethod }: ProbeResult['known']): RequestCandidate[] {
  const hasApps = known.length > 0
  const several = 'several users or apps, whose names differ in case and accents'
  const ids = specimens.map((_, at) => String(FIRST_ID + ((at * 5) % specimens.length)))
  const all: RequestCandidate[] = [{ query: users('7', '007'), needs: '' }]
  for (const [at, [text, name]] of specimens.entries()) {
    const id = String(FIRST_ID + at)
    for (const query of [users(id), by('username', text), by('username', text.toUpperCase())])
      all.push({ query, needs: `a user whose names have ${name}` })
    if (hasApps) all.push({ query: apps(id), needs: `an app whose title and links have ${name}` })
  }
  all.push({ query: users(...ids), needs: several })
  if (hasApps) all.push({ query: apps(...ids), needs: several })
  if (chatMethod !== null)
    all.push({ query: by(chatMethod, 'Chat-1'), needs: 'a chat identifier with capital letters (--chats)' })
  return all.flatMap((one) => [one, { ...one, query: inFormat('xml', one.query) }])
}
