// How many answers are the same byte for byte, and where the most usual ones begin to differ.

import { questions, UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import { isSame } from '../answers/text.ts'
import { type Outcomes, questionOf } from './ask.ts'
import type { Behaviour } from './behaviour.ts'
import { excerptsOf, firstDifference } from './excerpt.ts'
import { showing } from './forms.ts'
import { type Known, unknownEventOf } from './known.ts'

export interface ByteDifference {
  readonly name: string
  /** Bytes that are the same at the beginning. */
  readonly at: number
  readonly old: string
  readonly gateway: string
}

export interface Bytes {
  /**
   * Questions of the behaviours that both answered, and those of them whose answers have the same status and
   * bytes.
   */
  readonly compared: number
  readonly same: number
  readonly differences: readonly ByteDifference[]
}

/** Characters of an answer that are shown, around where it begins to differ. */
const MAX_SHOWN_LENGTH = 100

/** Of long lists, most is not known: they are not compared, nor is what is no `GET`. */
export function compareBytes(
  known: Known,
  behaviours: readonly Behaviour[],
  old: Outcomes,
  advised: Outcomes,
): Bytes {
  const queries = new Set(behaviours.flatMap(({ query }) => query ?? []))
  const pairs = [...queries].flatMap((query) => {
    const [was, is] = [old, advised].map((outcomes) => outcomes.get(questionOf(query)))
    if (was === undefined || is === undefined || was instanceof NoReply || is instanceof NoReply) return []
    return [{ query, was, is, same: isSame(was, is) }]
  })
  const differences = usual(known).flatMap(([name, query]): ByteDifference[] => {
    const pair = pairs.find((one) => one.query === query && !one.same)
    if (pair === undefined) return []
    const [was, is] = [pair.was, pair.is].map((reply) => reply.body.toString('latin1'))
    const at = firstDifference(was ?? '', is ?? '')
    // The statuses or the charsets differ, not the bytes.
    if (was === is) return []
    const [before, after] = excerptsOf(shown(pair.was.body), shown(pair.is.body), MAX_SHOWN_LENGTH)
    return [{ name, at, old: before, gateway: after }]
  })
  return { compared: pairs.length, same: pairs.filter(({ same }) => same).length, differences }
}

/** With all that is not seen otherwise. */
function shown(body: Buffer): string {
  return body
    .toString('utf8')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll('\ufeff', '\\ufeff')
}

function usual(known: Known): (readonly [name: string, query: string])[] {
  const { byId, apps: byAppId, inXml } = questions
  const { users, apps } = showing(known)
  const queries = [
    ['users', byId(users)],
    ['an unknown user', byId([UNKNOWN])],
    ...(apps.length === 0 ? [] : [['apps', byAppId(apps)] as const]),
    ['an error', unknownEventOf(known)],
  ] as const
  return queries.flatMap(([name, query]) => [
    [`${name} in JSON`, query],
    [`${name} in XML`, inXml(query)],
  ])
}
