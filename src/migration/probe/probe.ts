// One probe: finds out what is there, then looks at each behaviour.

import { type Call, NoReply } from '../../stores/old-service/call.ts'
import { visible } from '../../text.ts'
import { createPace } from '../pace.ts'
import { type Advice, adviseOn } from './advice.ts'
import { type Ask, CannotProbe, createAsk } from './ask.ts'
import { type Behaviour, behavioursOf } from './behaviours.ts'
import { type Chat, findChat } from './chat.ts'
import { findKnown, type Known } from './known.ts'

/** Of the identifiers that are named, so many are asked for. */
const MAX_NAMED = 3

export interface ProbeOptions {
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
  readonly onProgress: (sent: number) => void
}

/** What an old service does. */
export interface Probed {
  readonly known: Known
  readonly chat: Chat
  readonly behaviours: readonly Behaviour[]
  /** One for each behaviour, in words. */
  readonly findings: readonly string[]
  readonly advice: Advice
  /** Requests that it took. */
  readonly sent: number
  /** Milliseconds that the slowest answer took. */
  readonly slowest: number
}

/** @throws CannotProbe */
export async function probe(call: Call, options: ProbeOptions): Promise<Probed> {
  let slowest = 0
  const timed: Call = async (query, callOptions) => {
    const started = performance.now()
    try {
      return await call(query, callOptions)
    } finally {
      slowest = Math.max(slowest, performance.now() - started)
    }
  }
  const users = options.users.slice(0, MAX_NAMED)
  const apps = options.apps.slice(0, MAX_NAMED)
  const { ask, sent } = createAsk(timed, createPace(options.rate), options.signal, options.onProgress)
  await refuseRedirection(ask, users)
  const found = await findKnown(ask, { users, apps })
  const chat = await findChat(ask, found, options.chatMethods, options.chats.slice(0, MAX_NAMED))
  const known = { ...found, chats: chat.chats }
  const behaviours = behavioursOf(known, chat)
  const findings = await observeAll(behaviours, ask)
  return {
    known,
    chat,
    behaviours,
    findings,
    advice: await adviseOn(ask, known, chat),
    sent: sent(),
    slowest,
  }
}

/** Looks at the same behaviours of a gateway: it has no other clients. */
export async function observeGateway(behaviours: readonly Behaviour[], call: Call): Promise<string[]> {
  const { ask } = createAsk(
    call,
    async () => {},
    new AbortController().signal,
    () => {},
  )
  return observeAll(behaviours, ask)
}

async function observeAll(behaviours: readonly Behaviour[], ask: Ask): Promise<string[]> {
  const findings: string[] = []
  for (const { observe } of behaviours) findings.push(await observe(ask))
  return findings
}

/** Another address would be another service. */
async function refuseRedirection(ask: Ask, [id = '']: readonly string[]): Promise<void> {
  const outcome = await ask(`Event=ProfileLookup&Users=${encodeURIComponent(id)}`)
  if (outcome instanceof NoReply || outcome.status < 300 || outcome.status >= 400) return
  const target = visible(outcome.headers.location ?? 'nowhere')
  throw new CannotProbe(
    `It answers with status ${outcome.status}, and leads to ${target}. Probe the address that it leads to.`,
  )
}
