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

export interface UnseenChoice {
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
  const unsent = testRequests.filter(({ query }) => !client.outcomes.has(query))
  const rows = withSpecimens(evidence.rows)
  const find = rowFinder(rows)
  const { maxValues } = evidence
  const candidates = [...unsent.map(({ query }) => ({ query, needs: '' })), ...candidatesFor(known)]
  const responsesOf = (one: Dialect) => {
    const facade = createFacade(one, maxValues)
    return (query: string) => keyOf(legacyResponseTo(facade, find, query))
  }
  const chosen = responsesOf(dialect)
  const chosenResponses = new Map(candidates.map(({ query }) => [query, chosen(query)]))
  return unseenChoices(evidence, dialect).flatMap(({ path, values }): UnseenChoice[] => {
    // Each request may decide about some of the values.
    const found = new Map<RequestCandidate, unknown[]>()
    for (const other of values) {
      const responseWith = responsesOf(withValue(dialect, path, other))
      const differs = ({ query }: RequestCandidate) => responseWith(query) !== chosenResponses.get(query)
      const candidate = [...found.keys()].find(differs) ?? candidates.find(differs)
      if (candidate !== undefined) found.set(candidate, [...(found.get(candidate) ?? []), other])
    }
    const [choice, value] = [path.join('.'), valueAt(dialect, path)]
    return [...found].map(([{ query, needs }, others]) => ({
      ...{ choice, value, others, needs },
      request: withoutIds(query),
    }))
  })
}

function withSpecimens({ users: known, apps: knownApps }: KnownRows): KnownRows {
  const version = '1.0.0'
  const users = specimens.map(([text], at) => ({
    ...{ id: String(FIRST_ID + at), username: text, displayName: text, chatId: `Chat-${at}` },
    ...{ rank: at % 3, joinDate: 100 - at, isConfirmed: at % 2 === 0, banned: at % 2 === 1 },
  }))
  const titled = specimens.map(([title], at) => {
    const links = { changelogLink: `https://a.example/${title}`, downloadLink: `https://a.example/${title}/` }
    return { id: FIRST_ID + at, title, version, category: at % 3, ...links }
  })
  return { users: [...known, ...users], apps: [...knownApps, ...titled] }
}

interface RequestCandidate {
  readonly query: string
  readonly needs: string
}

function candidatesFor({ apps: known, chatMethod }: ProbeResult['known']): RequestCandidate[] {
  const ofApps = (query: string, needs: string) => (known.length === 0 ? [] : [{ query, needs }])
  const single = specimens.flatMap(([text, name], at): RequestCandidate[] => {
    const id = String(FIRST_ID + at)
    const queries = [users(id), by('username', text), by('username', text.toUpperCase())]
    return [
      ...queries.map((query) => ({ query, needs: `a user whose names have ${name}` })),
      ...ofApps(apps(id), `an app whose title and links have ${name}`),
    ]
  })
  const ids = specimens.map((_, at) => String(FIRST_ID + ((at * 5) % specimens.length)))
  const several = 'several users or apps, whose names differ in case and accents'
  const chat = chatMethod === null ? null : by(chatMethod, 'Chat-1')
  const all: RequestCandidate[] = [
    { query: users('7', '007'), needs: '' },
    ...single,
    { query: users(...ids), needs: several },
    ...ofApps(apps(...ids), several),
    ...(chat === null ? [] : [{ query: chat, needs: 'a chat identifier with capital letters (--chats)' }]),
  ]
  return all.flatMap((one) => [one, { ...one, query: inFormat('xml', one.query) }])
}

/** The specimens are not rows of the service. */
const withoutIds = (query: string) => query.replace(/\b9000\d\d\b/g, 'ID')
