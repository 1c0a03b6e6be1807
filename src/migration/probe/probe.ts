// One probe: finds out what is there, then looks at each behaviour.

import { type Call, NoReply } from '../../stores/old-service/call.ts'
import { capitalised } from '../../text.ts'
import { createPace } from '../pace.ts'
import { type Advice, adviseOn } from './advice.ts'
import { type AsStore, tryAsStore } from './as-store.ts'
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
  readonly asStore: AsStore
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
    try {
      const reply = await call(query, callOptions)
      if (reply.coding !== undefined) codings.add(reply.coding)
      return reply
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
  const advice = await adviseOn(ask, known, chat)
  return {
    known,
    chat,
    behaviours,
    findings,
    advice,
    asStore: await tryAsStore(ask, known, chat, advice),
    codings: [...codings],
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
  if (outcome instanceof NoReply && outcome.kind === 'redirected')
    throw new CannotProbe(`${capitalised(outcome.message)}.`)
}
