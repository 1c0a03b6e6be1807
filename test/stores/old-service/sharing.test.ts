// Requests that come while an old service is busy share its next call. What waits for more than 200 ms is
// refused.

import { expect, onTestFinished, test } from 'vitest'
import { startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startOldService } from '../../old-service/start.ts'

test.skipIf(!hasProgram('php'))('calls are shared between requests that come at the same time', async () => {
  const old = await startOldService()
  onTestFinished(() => old.close())
  old.switchTo({ delay: 50 })
  const over = await startGatewayOver({ DATABASE_URL: old.url, DATABASE_CONNECTIONS: '2' })
  onTestFinished(over.close)
  const asked = Array.from({ length: 30 }, (_, at) =>
    fetch(`${over.url}/?Event=ProfileLookup&Users=${at + 1}`),
  )
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(30).fill(200))
  const queries = over.observations.filter(({ type }) => type === 'store-query')
  expect(queries.length).toBeLessThan(10)
})
