import { type Advice, adviseOn } from '../../../../../src/migration/probe/advice.ts'
import { createAsk } from '../../../../../src/migration/probe/ask.ts'
import { findKnown } from '../../../../../src/migration/probe/known.ts'
import { createCall } from '../../../../../src/stores/old-service/call.ts'

/** What a probe tells of a service that has the users 1 and 2 and the app 1. */
export async function tell(url: string): Promise<Advice> {
  const call = createCall({ url: `${url}/`, headers: {} }, { timeout: 10_000, connections: 1 })
  const { ask } = createAsk(
    call,
    async () => {},
    AbortSignal.timeout(30_000),
    () => {},
  )
  const known = await findKnown(ask, { users: ['1', '2'], apps: ['1'] })
  const chats = new Map()
  return adviseOn(
    ask,
    { ...known, samples: { users: [], apps: [] }, chats },
    { method: 'chat', tried: [], chats },
    '/',
  )
}
