// Settings that say something of each error by its code, and the queries that call each of them forth.

import type { FailureCode } from '../../../errors.ts'
import type { Heard, Probing } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

/**
 * What may be wrong with a query: an outage is told in the gateway's own words, which the old service has
 * not.
 */
export const wrongQueries = [
  'MissingParameter',
  'RepeatedParameter',
  'UnknownEvent',
  'UnknownMethod',
  'UnknownFormat',
  'MalformedIdentifier',
  'TooManyValues',
  'MalformedQuery',
] as const satisfies readonly FailureCode[]
export type WrongQuery = (typeof wrongQueries)[number]

/** In words, for the settings. */
export const allowedByCode = (value: string) =>
  `CODE=${value}, separated by semicolons, where CODE is one of ${wrongQueries.join(', ')}`

/** The pairs of such a setting. @returns `null` where the text is not allowed */
export function pairsByCode(
  text: string,
  isAllowed: (value: string) => boolean,
): readonly (readonly [WrongQuery, string])[] | null {
  const pairs = text.split(';', wrongQueries.length + 1).map((pair) => {
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

/**
 * Asks for each error.
 * @returns the setting's text: what `tell` says of each; `null` where it says nothing
 */
export async function tellByCode(
  probing: Probing,
  tell: (heard: Heard, quoted: readonly string[], code: WrongQuery) => string | null,
): Promise<string | null> {
  const told: string[] = []
  for (const code of wrongQueries) {
    const asked = await questionOf(code, probing)
    if (asked === null) continue
    const [question, ...quoted] = asked
    const heard = await probing.ask(question)
    const value = heard === null ? null : tell(heard, quoted, code)
    if (value !== null) told.push(`${code}=${value}`)
  }
  return told.length === 0 ? null : told.join(';')
}

/** A query with this fault, and what a text may quote of it. */
async function questionOf(
  code: WrongQuery,
  { ids: [id = ''], listLimit }: Probing,
): Promise<readonly [question: string, ...quoted: string[]] | null> {
  const user = questions.byId([id])
  if (code === 'TooManyValues') {
    const { most, beyond } = await listLimit()
    if (most === null || beyond !== 'refused') return null
    return [questions.byId(Array.from({ length: most + 1 }, (_, at) => String(at + 1)))]
  }
  const wrong = {
    MissingParameter: [questions.noList],
    RepeatedParameter: [`${user}&Users=${UNKNOWN}`, UNKNOWN],
    UnknownEvent: [questions.unknownEvent, 'NoSuchLookup'],
    UnknownMethod: [questions.by('nosuchmethod', [id]), 'nosuchmethod'],
    UnknownFormat: [`${user}&Format=YAML`, 'YAML'],
    MalformedIdentifier: [questions.byId(['abc']), 'abc'],
    MalformedQuery: [`${user}:%ZZ`, 'ZZ'],
  } as const
  return wrong[code]
}
