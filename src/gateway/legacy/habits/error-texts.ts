import type { FailureCode } from '../../../errors.ts'
import { optional } from '../../../setting-kinds.ts'
import { errorIn } from './error-in.ts'
import { habit } from './habit.ts'
import type { Probing } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'
import { isErrorText } from './unknown-text.ts'

/** What may be wrong with a query: an outage is told in the gateway's own words, which the old service has not. */
const codes = [
  'MissingParameter',
  'RepeatedParameter',
  'UnknownEvent',
  'UnknownMethod',
  'UnknownFormat',
  'MalformedIdentifier',
  'TooManyValues',
  'MalformedQuery',
] as const satisfies readonly FailureCode[]
type Code = (typeof codes)[number]

export const errorTexts = habit({
  setting: optional(
    'LEGACY_ERROR_TEXTS',
    `CODE=TEXT, separated by semicolons, where CODE is one of ${codes.join(', ')}`,
    "the old service's own texts of errors, such as UnknownEvent=No such event;MissingParameter=Users missing",
    (text) => (pairsIn(text) === null ? undefined : text),
  ),
  effect: (texts, { error }) =>
    error !== null && errorTextsIn(texts).has(error.code)
      ? "The text of the error is the old service's."
      : null,
  tell: async (probing) => {
    const told: string[] = []
    for (const code of codes) {
      const text = await textOf(code, probing)
      if (text !== null) told.push(`${code}=${text}`)
    }
    return told.length === 0 ? null : told.join(';')
  },
})

/** By code. */
export function errorTextsIn(texts: string | null): ReadonlyMap<string, string> {
  return new Map(pairsIn(texts ?? ''))
}

/** @returns `null` where the text is not allowed */
function pairsIn(texts: string): readonly (readonly [Code, string])[] | null {
  const pairs = texts.split(';', codes.length + 1).map((pair) => {
    const equals = pair.indexOf('=')
    const code = codes.find((known) => known === pair.slice(0, Math.max(equals, 0)).trim())
    return [code, pair.slice(equals + 1).trim()] as const
  })
  const allowed = pairs.flatMap(([code, text]) =>
    code !== undefined && isErrorText(text) ? [[code, text] as const] : [],
  )
  const isDistinct = new Set(allowed.map(([code]) => code)).size === pairs.length
  return isDistinct ? allowed : null
}

/** What a service says to a query with this fault; `null` where it quotes what was asked for, or has no text. */
async function textOf(code: Code, probing: Probing): Promise<string | null> {
  const asked = await questionOf(code, probing)
  if (asked === null) return null
  const [question, ...quoted] = asked
  const text = errorIn(await probing.ask(question))?.text.trim() ?? ''
  const isWhole = isErrorText(text) && !text.includes(';')
  return isWhole && !quoted.some((value) => text.includes(value)) ? text : null
}

/** A query with this fault, and what a text may quote of it. */
async function questionOf(
  code: Code,
  { ids: [id = ''], listLimit }: Probing,
): Promise<readonly [question: string, ...quoted: string[]] | null> {
  const user = questions.byId([id])
  if (code === 'TooManyValues') {
    const { most, beyond } = await listLimit()
    if (most === null || beyond !== 'refused') return null
    return [questions.byId(Array.from({ length: most + 1 }, (_, at) => String(at + 1)))]
  }
  const wrong = {
    MissingParameter: ['Event=ProfileLookup'],
    RepeatedParameter: [`${user}&Users=${UNKNOWN}`, UNKNOWN],
    UnknownEvent: [questions.unknownEvent, 'NoSuchLookup'],
    UnknownMethod: [questions.by('nosuchmethod', [id]), 'nosuchmethod'],
    UnknownFormat: [`${user}&Format=YAML`, 'YAML'],
    MalformedIdentifier: [questions.byId(['abc']), 'abc'],
    MalformedQuery: [`${user}:%ZZ`, 'ZZ'],
  } as const
  return wrong[code]
}
