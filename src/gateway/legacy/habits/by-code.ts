// Settings that say something of each error by its code, and the queries that call each of them forth.

import type { FailureCode } from '../../../errors.ts'
import type { Heard, Probing } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

/**
 * What may be wrong with a query: an outage is told in the gateway's own words, which the old service has
 * not. Those that are kinds of another are as that one is, where nothing is said of them.
 */
export const wrongQueries = [
  'MissingParameter',
  'MissingEvent',
  'MissingApps',
  'RepeatedParameter',
  'UnknownEvent',
  'UnknownMethod',
  'UnknownFormat',
  'MalformedIdentifier',
  'TooManyValues',
  'MalformedQuery',
] as const satisfies readonly (FailureCode | MissingKind)[]
export type WrongQuery = (typeof wrongQueries)[number]

/** Services check their event, and each list, at places of their own. */
type MissingKind = 'MissingEvent' | 'MissingApps'
const isMissingKind = (code: WrongQuery): code is MissingKind =>
  code === 'MissingEvent' || code === 'MissingApps'

/** In words, for the settings. */
export const allowedByCode = (value: string) =>
  `CODE=${value}, separated by semicolons, where CODE is one of ${wrongQueries.join(', ')}`

/** The pairs of such a setting. @returns `null` where the text is not allowed */
export function pairsByCode(
  text: string,
  isAllowed: (value: string) => boolean,
): readonly (readonly [WrongQuery, string])[] | null {
  if (text.length > MAX_TEXT_LENGTH) return null
  const pairs = split(text).map((pair) => {
    const equals = pair.indexOf('=')
    const code = wrongQueries.find((known) => known === pair.slice(0, Math.max(equals, 0)).trim())
    return [code, pair.slice(equals + 1).trim()] as const
  })
  const allowed = pairs.flatMap(([code, value]) =>
    code !== undefined && isAllowed(value) ? [[code, value] as const] : [],
  )
  const isDistinct = new Set(allowed.map(([code]) => code)).size === pairs.length
  return isDistinct ? allowed : null
}

/** Characters: far more than all codes with a text of the longest each. */
const MAX_TEXT_LENGTH = 10_000

/** A semicolon parts two pairs where a name and `=` follow; any other one is of the text. */
function split(text: string): readonly string[] {
  const pairs: string[] = []
  for (const part of text.split(';')) {
    const last = pairs.length - 1
    const isPair = last < 0 || part.trim() === '' || /^[ \t]{0,9}\w{1,40}[ \t]{0,9}=/.test(part)
    if (isPair) pairs.push(part)
    else pairs[last] += `;${part}`
  }
  return pairs
}

/** Whether a value comes back as it is, wherever it stands. */
export function canStand(value: string): boolean {
  const [[, read] = []] = pairsByCode(`UnknownEvent=${value};UnknownMethod=x`, () => true) ?? []
  return read === value
}

/** What is said of an error: of its kind, or else of its code. */
export function ofError<Said>(
  all: ReadonlyMap<string, Said>,
  { code, key }: { readonly code: string; readonly key: string },
): Said | undefined {
  return all.get(key) ?? all.get(code)
}

/**
 * Asks for each error.
 * @param tell of a kind of another code, it is given that code
 * @param usual what an error has of which `tell` says nothing, where that can be written down
 * @returns the setting's text: what `tell` says of each; `null` where it says nothing
 */
export async function tellByCode(
  probing: Probing,
  tell: (
    heard: Heard,
    quoted: readonly string[],
    code: FailureCode,
  ) => string | null | Promise<string | null>,
  usual: string | null = null,
): Promise<string | null> {
  const told = new Map<WrongQuery, string>()
  for (const code of wrongQueries) {
    const asked = await questionOf(code, probing)
    if (asked === null) continue
    const [question, ...quoted] = asked
    const heard = await probing.ask(question)
    if (heard === null || !heard.isRefusal) continue
    const value = isMissingKind(code)
      ? ((await tell(heard, quoted, 'MissingParameter')) ?? usual)
      : await tell(heard, quoted, code)
    if (value === null) continue
    if (!isMissingKind(code) || value !== (told.get('MissingParameter') ?? usual)) told.set(code, value)
  }
  return told.size === 0 ? null : [...told].map(([code, value]) => `${code}=${value}`).join(';')
}

/** A query with this fault, and what a text may quote of it. */
async function questionOf(
  code: WrongQuery,
  { ids: [id = ''], apps: [app], listLimit }: Probing,
): Promise<readonly [question: string, ...quoted: string[]] | null> {
  const user = questions.byId([id])
  if (code === 'TooManyValues') {
    const { most, beyond } = await listLimit()
    if (most === null || beyond !== 'refused') return null
    const list = questions.byId(Array.from({ length: most + 1 }, (_, at) => String(at + 1)))
    return [list, list]
  }
  const wrong = {
    MissingParameter: [questions.noList, questions.noList],
    MissingEvent: [questions.noEvent(id, app), questions.noEvent(id, app)],
    MissingApps: [questions.noApps, questions.noApps],
    RepeatedParameter: [`${user}&Users=${UNKNOWN}`, UNKNOWN],
    UnknownEvent: [questions.unknownEvent(id, app), 'NoSuchLookup'],
    UnknownMethod: [questions.by('nosuchmethod', [id]), 'nosuchmethod'],
    UnknownFormat: [`${user}&Format=YAML`, 'YAML'],
    MalformedIdentifier: [questions.byId(['abc']), 'abc'],
    MalformedQuery: [`${user}:%ZZ`, 'ZZ'],
  } as const
  return wrong[code]
}

/** The same fault in a question for an app, where one is known and the text may be another. */
export function appQuestionOf(code: FailureCode, { apps: [app] }: Probing): string | null {
  if (app === undefined) return null
  const wrong: Partial<Record<FailureCode, string>> = {
    RepeatedParameter: `${questions.apps([app])}&Apps=${UNKNOWN}`,
    MalformedIdentifier: questions.apps(['abc']),
  }
  return wrong[code] ?? null
}
