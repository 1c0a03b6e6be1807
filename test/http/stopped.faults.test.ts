// The duration of a request is what its client saw, also if the process was stopped before it read the request.

import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { ask, startLoad } from '../kit/load.ts'
import { originOf, serve } from '../kit/serving.ts'
import { test } from '../kit/test.ts'

/** How many requests took longer than half a second. */
async function countSlow(admin: string): Promise<number> {
  const { body } = await ask(`${admin}/metrics`)
  const of = (line: RegExp) => Number(line.exec(body)?.[1] ?? 0)
  const all = of(/^lookup_request_duration_seconds_count\{event="ProfileLookup",format="JSON"\} (\d+)$/m)
  return (
    all -
    of(/^lookup_request_duration_seconds_bucket\{le="0.5",event="ProfileLookup",format="JSON"\} (\d+)$/m)
  )
}

test('a process that was stopped for a second shows it', { timeout: 60_000 }, async ({ place }) => {
  const { shown, process: gateway } = await serve({ cwd: place.path, timeout: 60_000 })
  const admin = originOf(shown.Readiness)
  const load = startLoad(originOf(shown['Legacy JSON']), { clients: 4, pause: 20 })
  await pause(1_500)
  const before = await countSlow(admin)
  gateway.kill('SIGSTOP')
  await pause(1_500)
  gateway.kill('SIGCONT')
  await pause(500)
  const waited = (await load.stop()).filter(({ took }) => took > 1_000).length
  expect(waited).toBe(4)
  expect((await countSlow(admin)) - before).toBe(4)
})
