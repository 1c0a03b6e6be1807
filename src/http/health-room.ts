// HEALTH_PATH: readiness on the public port, for platforms that know one port only. It tells no details.

import type { Answer } from '../gateway/answer.ts'
import { type Room, readingRoom } from './room.ts'

const answerOf = (status: number, body: string): Answer => ({
  status,
  headers: ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'],
  body,
  etag: null,
  about: { event: 'health', format: 'JSON', outcome: status === 200 ? 'ok' : 'Unavailable', values: 0 },
})
const ready = answerOf(200, 'ready\n')
const unready = answerOf(503, 'not ready\n')

/** @param check rejects if lookups cannot be answered */
export function healthRoom(check: () => Promise<void> | void): Room {
  const answer = async () => {
    try {
      await check()
      return ready
    } catch {
      return unready
    }
  }
  return { ...readingRoom(answer), isAlwaysAdmitted: true }
}
