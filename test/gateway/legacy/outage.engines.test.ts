// The error Overloaded, which only a server with connections can have.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startGatewayOnPostgres } from '../../kit/postgres/gateway.ts'
import { ask, inFormat } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'
import { ID } from './support/rows.ts'

test('while all connections wait, lookups are 503 without details', async () => {
  const gateway = await startGatewayOnPostgres({ DATABASE_CONNECTIONS: '1' })
  onTestFinished(gateway.close)
  await ask(gateway.url, `/?${ID}1`)
  await gateway.database.run('BEGIN; LOCK TABLE users')
  const locked = gateway.database.run('SELECT pg_sleep(0.8); COMMIT')
  const first = ask(gateway.url, `/?${ID}1`)
  await pause(50)
  for (const format of ['JSON', 'XML'] as const) {
    const reply = await ask(gateway.url, inFormat(`${ID}1`, format))
    expect([reply.status, refusalIn(reply, format).code]).toEqual([503, 'Overloaded'])
    expect(reply.body).not.toMatch(/select|postgres|127\.0\.0\.1|\bat \S+:\d+/i)
  }
  await Promise.all([first, locked])
})
