// What a probe advises for a service: the settings of a gateway that sends the same bytes.

import { type Advice, adviseOn } from '../../../../src/migration/probe/advice.ts'
import { createAsk } from '../../../../src/migration/probe/ask.ts'
import { findKnown } from '../../../../src/migration/probe/known.ts'
import { findSamples } from '../../../../src/migration/probe/samples.ts'
import { createCall } from '../../../../src/stores/old-service/call.ts'

export interface Known {
  /** Ids of users. */
  readonly users: readonly string[]
  readonly apps?: readonly string[]
  /** The chat identifier of the user 1. */
  readonly chat?: string
  /** Whether the probe looks for other users and apps. */
  readonly findsOthers?: boolean
}

/** @param url with a slash at its end */
export function startAsk(url: string): ReturnType<typeof createAsk> {
  const call = createCall({ url, headers: {} }, { timeout: 10_000, connections: 1 })
  const unhurried = async () => {}
  return createAsk(call, unhurried, new AbortController().signal, () => {})
}

export async function probe(url: string, known: Known): Promise<{ advice: Advice; sent: number }> {
  const { users, apps = ['1'], chat, findsOthers = false } = known
  const { ask, sent } = startAsk(url)
  const found = await findKnown(ask, { users, apps })
  const samples = findsOthers ? await findSamples(ask, found) : { users: [], apps: [] }
  const [first] = found.users
  const chats = new Map(chat !== undefined && first?.id === 1 ? [[chat, first]] : [])
  const advice = await adviseOn(ask, { ...found, samples, chats }, { method: 'chat', chats, tried: [] }, '/')
  return { advice, sent: sent() }
}
