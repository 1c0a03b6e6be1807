// One probe: finds out what is there, then looks at each behaviour.

import type { Clock } from '../../clock.ts'
import { type Call, NoReply } from '../../stores/old-service/call.ts'
import { capitalised } from '../../text.ts'
import { createPace } from '../pace.ts'
import { type Advice, adviseOn, timeoutFor } from './advice.ts'
import { type AsStore, tryAsStore } from './as-store.ts'
import { type Ask, CannotProbe, createAsk, NoMoreRequests, type Outcomes } from './ask.ts'
import type { Behaviour } from './behaviour.ts'
import { behavioursOf } from './behaviours.ts'
import { type Chat, findChat } from './chat.ts'
import type { Finding } from './finding.ts'
import { findKnown, type Known, withoutEscapes } from './known.ts'
import { findSamples } from './samples.ts'
import { refuseUnsteady } from './steady.ts'

/** Of the identifiers that are named, so many are asked for. */
const MAX_NAMED = 3

export interface ProbeOptions {
  /** Where the service is, on its server. */
  readonly path: string
  /** Ids of users and apps that are there. */
  readonly users: readonly string[]
  readonly apps: readonly string[]
  /** Identifiers of the chat platform, of users that are there. */
  readonly chats: readonly string[]
  /** Words that may mean the chat platform, to be tried first. */
  readonly chatMethods: readonly string[]
  /** Requests a second. */
  readonly rate: number
  readonly signal: AbortSignal
  readonly clock?: Clock | undefined
  readonly onProgress: (sent: number) => void
}

/** What an old service does. */
export interface Probed {
  readonly known: Known
  readonly chat: Chat
  readonly behaviours: readonly Behaviour[]
  /** One for each behaviour; `null` for what was not asked, since no more requests are sent. */
  readonly findings: readonly (Finding | null)[]
  readonly advice: Advice
  readonly asStore: AsStore
  /** Asks it for more, at the same pace and within the same bound. */
  readonly ask: Ask
  readonly outcomes: Outcomes
  /** What is counted, so far. */
  readonly costs: () => Costs
}

export interface Costs {
  /** The codings that answers came in, though no request asked for one. */
  readonly codings: readonly string[]
  /** Requests that it took. */
  readonly sent: number
  /** Milliseconds that the slowest answer took. */
  readonly slowest: number
}

/** @throws CannotProbe */
export async function probe(call: Call, options: ProbeOptions): Promise<Probed> {
  let slowest = 0
  const codings = new Set<string>()
  const timed: Call = async (query, callOptions) => {
    const started = performance.now()
    const reply = await call(query, callOptions)
    if (reply.coding !== undefined) codings.add(reply.coding)
    slowest = Math.max(slowest, performance.now() - started)
    return reply
  }
  const users = options.users.slice(0, MAX_NAMED)
  const apps = options.apps.slice(0, MAX_NAMED)
  const pace = createPace(options.rate, options.clock)
  const asking = createAsk(timed, pace, options.signal, options.onProgress, options.clock)
  const { ask, outcomes, sent } = asking
  await refuseRedirection(ask, users)
  const found = await findKnown(ask, { users, apps })
  const chat = await findChat(ask, found, options.chatMethods, options.chats.slice(0, MAX_NAMED))
  const heard = { ...found, samples: await findSamples(ask, found), chats: chat.chats }
  const told = await adviseOn(ask, heard, chat, options.path)
  const isEscaped = (told.LEGACY_TEXT_ESCAPES ?? 'none') !== 'none'
  const known = isEscaped ? withoutEscapes(heard) : heard
  const asStore = await tryAsStore(ask, known, chat, told)
  const behaviours = behavioursOf(known, chat)
  const findings = await observeAll(behaviours, ask)
  await refuseUnsteady(asking, String(known.users[0]?.id ?? ''))
  const advice = { ...told, DATABASE_TIMEOUT: timeoutFor(slowest) }
  const costs = () => ({ codings: [...codings], sent: sent(), slowest })
  return { known, chat, behaviours, findings, advice, asStore, ask, outcomes, costs }
}

/** What can be asked still is looked at, also behind a question that cannot: most have been asked before. */
async function observeAll(behaviours: readonly Behaviour[], ask: Ask): Promise<(Finding | null)[]> {
  const findings: (Finding | null)[] = []
  for (const { observe } of behaviours)
    findings.push(
      await observe(ask).catch((error: unknown) => {
        if (error instanceof NoMoreRequests) return null
        throw error
      }),
    )
  return findings
}

/** Another address would be another service. */
async function refuseRedirection(ask: Ask, [id = '']: readonly string[]): Promise<void> {
  const outcome = await ask(`Event=ProfileLookup&Users=${encodeURIComponent(id)}`)
  if (outcome instanceof NoReply && outcome.kind === 'redirected')
    throw new CannotProbe(`${capitalised(outcome.message)}.`)
}
