// Finds values that an old service changes by itself: fields, ids of requests, times. A few requests are sent
// again, and values that differ are masked in all comparisons.

import type { LegacyResponse } from '../../legacy/errors.ts'
import { NoResponse } from '../../stores/old-service/call.ts'
import { compareResponses, sketchOf } from '../compare/compare.ts'
import { type ProbeClient, ProbeError, type ProbeOutcome, withinBudget } from './client.ts'
import { by, inFormat, NO_METHOD, UNKNOWN, users } from './requests.ts'
import { meaningOfResponse } from './responses.ts'

/** The texts before values that change, such as `"Rank":`. */
export type ChangePrefixes = readonly string[]

/** Replaces values that change, so that texts which differ in nothing else are the same. */
export type MaskResponse = (response: LegacyResponse) => LegacyResponse

/**
 * Sends a few requests again, after all others.
 * @param id of an existing user
 * @throws ProbeError if a response is of another kind: two versions share an address, or it was changed
 */
export async function findChanges({ sendAgain, outcomes }: ProbeClient, id: string): Promise<ChangePrefixes> {
  const user = users(id)
  const changing = new Set<string>()
  // The first request is sent twice in a row: of two servers behind a load balancer, each gets one.
  const again = [user, user, users(id, UNKNOWN), inFormat('xml', user)]
  const errors = ['Event=ProfileLookup', by(NO_METHOD, id), inFormat('xml', by(NO_METHOD, id))]
  await withinBudget(async () => {
    for (const query of [...again, ...errors]) {
      const before = outcomes.get(query)
      if (before === undefined) continue
      const after = await sendAgain(query)
      if (isOtherKind(before, after))
        throw new ProbeError(
          `Its responses change: ${query} was ${sketch(before)}, and later ${sketch(after)}. No dialect fits both. Probe a single server, with a lower --rate.`,
        )
      for (const text of differencesOf(textOf(before), textOf(after))) changing.add(text)
    }
  }, undefined)
  return [...changing]
}

const textOf = (outcome: ProbeOutcome) =>
  outcome instanceof NoResponse ? '' : outcome.body.toString('latin1')

/** A response in a few words, without data. */
const sketch = (outcome: ProbeOutcome) =>
  outcome instanceof NoResponse ? outcome.message : sketchOf(meaningOfResponse(outcome))

/** Whether two responses differ in more than values and the words of an error. */
function isOtherKind(one: ProbeOutcome, other: ProbeOutcome): boolean {
  if (one instanceof NoResponse || other instanceof NoResponse)
    return !(one instanceof NoResponse && other instanceof NoResponse)
  return compareResponses(one, other).differences.some(({ kind }) => kind !== 'value')
}

/** A word, a number, an id or a time. */
const wordSource = String.raw`\w+(?:[.:+-]\w+)*`
const word = new RegExp(wordSource, 'g')
/** Characters of a text before a value. */
const MAX_CONTEXT_LENGTH = 40
/** Words that may differ. With more of them, the texts are two different texts. */
const MAX_DIFFERENT_WORDS = 20

/** The texts before the words that differ. None if the texts differ in more than some words. */
function differencesOf(one: string, other: string): string[] {
  const [words, others] = [[...one.matchAll(word)], [...other.matchAll(word)]]
  if (one === other || words.length !== others.length || one.replace(word, '') !== other.replace(word, ''))
    return []
  const places = words.flatMap((match, at) => (match[0] === others[at]?.[0] ? [] : [at]))
  if (places.length > MAX_DIFFERENT_WORDS) return []
  return places.flatMap((at) => {
    const [before, match] = [words[at - 1], words[at]]
    const text = one.slice(before?.index ?? 0, match?.index)
    return text === '' || text.length > MAX_CONTEXT_LENGTH ? [] : [text]
  })
}

export function maskOf(changing: ChangePrefixes): MaskResponse {
  const replace = createReplace(changing, () => '0')
  return (response) => ({ ...response, body: replace(response.body) })
}

/** The recorded text of an error, in which a value that changes has only zeros. */
export function withoutChanges(text: string, changing: ChangePrefixes): string {
  return createReplace(changing, (value) => value.replace(/[A-Za-z0-9]/g, '0'))(text)
}

function createReplace(changing: ChangePrefixes, write: (value: string) => string): (text: string) => string {
  if (changing.length === 0) return (text) => text
  const pattern = new RegExp(`(${contextsOf(changing)})(${wordSource})`, 'g')
  return (text) => text.replace(pattern, (_, before: string, value: string) => before + write(value))
}

/** A field that changes in JSON changes in XML, too. */
function contextsOf(changing: ChangePrefixes): string {
  const contexts = changing.flatMap((text) => {
    const name = /(\w+)\W*$/.exec(text)?.[1] ?? ''
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return [/^\w/.test(text) ? `\\b${escaped}` : escaped, `"${name}"\\s*:\\s*"?`, `<${name}>`]
  })
  return [...new Set(contexts)].join('|')
}
