// What was found → the settings that make the gateway answer alike.

import { isNoBody } from '../../gateway/legacy/habits/empty.ts'
import type { Heard, Probing } from '../../gateway/legacy/habits/heard.ts'
import { tellHabits } from '../../gateway/legacy/habits/index.ts'
import { questions, UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import { type SettingName, settings, table } from '../../settings.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import type { Ask, Outcome } from './ask.ts'
import type { Chat } from './chat.ts'
import { meaningOfReply } from './describe.ts'
import { idsOf, type Known } from './known.ts'
import { findListLimit } from './limit.ts'

/** Settings and their values, as one would write them. */
export type Advice = Readonly<Partial<Record<SettingName, string>>>

/**
 * Those that have to be written down: all others are so by default.
 * @param changed those that are in force with another value
 */
export function neededIn(advice: Advice, changed: Advice): Advice {
  const isNeeded = ([name, value]: [string, string]) =>
    name in changed || Object.values(settings).find((row) => row.name === name)?.default !== value
  return Object.fromEntries(Object.entries(advice).filter(isNeeded))
}

/** Values in a call, where the old service is the gateway's store. */
const DEFAULT_CALL_VALUES = 100

/**
 * The time for a call, where the old service is the store: three times its slowest answer, which came while
 * nobody else asked this much of it.
 */
export function timeoutFor(slowest: number): string {
  const { fallback } = table.database.timeout
  const wanted = Math.ceil((3 * slowest) / 500) * 500
  return String(Math.min(Math.max(wanted, Number(fallback)), MAX_TIMEOUT_MS))
}

/** The most that the setting takes. */
const MAX_TIMEOUT_MS = 60_000

/**
 * Asks mostly what the behaviours have asked already, and no question twice.
 * @param path where the service is, on its server
 */
export async function adviseOn(
  ask: Ask,
  known: Known,
  { method, chats }: Chat,
  path: string,
): Promise<Advice> {
  const { users, apps, samples } = known
  const [id = '', ...others] = idsOf(users)
  // One with capitals shows whether they count.
  const [[identifier, user] = []] = [...chats].toSorted(
    ([one], [other]) => Number(/[A-Z]/.test(other)) - Number(/[A-Z]/.test(one)),
  )
  const listLimit = () => findListLimit(ask, [id, ...others])
  /** Whether an answer without a body is one in which nothing is found, and no failure. */
  let leavesOutBody = false
  const probing: Probing = {
    ask: async (query, other) => {
      const heard = heardIn(await ask(query, other === undefined ? {} : { path: other }))
      return leavesOutBody && isNoBody(heard) && heard !== null ? { ...heard, entries: new Map() } : heard
    },
    path,
    ids: [id, ...others],
    username: users[0]?.username ?? '',
    apps: idsOf(apps),
    samples: { users: idsOf(samples.users), apps: idsOf(samples.apps) },
    chatMethod: method,
    chat: identifier === undefined || user === undefined ? null : { identifier, id: String(user.id) },
    listLimit,
  }
  const { most } = await listLimit()
  leavesOutBody = isNoBody(await probing.ask(questions.byId([UNKNOWN])))
  return {
    ...(await tellHabits(probing)),
    DATABASE_MAX_VALUES: String(Math.min(most ?? DEFAULT_CALL_VALUES, DEFAULT_CALL_VALUES)),
  }
}

function heardIn(outcome: Outcome): Heard | null {
  if (outcome instanceof NoReply) return null
  const { status, headers, body } = outcome
  const meaning = meaningOfReply(outcome)
  const said = meaning.kind === 'entries' ? meaning : null
  return {
    status,
    headers,
    text: body.toString('latin1'),
    entries: said?.entries ?? null,
    root: said?.root ?? '',
    isRefusal: meaning.kind === 'refusal',
  }
}
