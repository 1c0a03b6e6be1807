// What only database servers show.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { engines } from '../kit/engines.ts'
import { postgresEngine } from '../kit/postgres/engine.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { ask, inFormat } from './support/ask.ts'
import { caseData, cases } from './support/cases.ts'
import { refusalIn } from './support/reply.ts'
import { ID } from './support/rows.ts'

test.each(engines.map((engine) => [engine.name, engine] as const))(
  'over %s, the gateway sends the bytes of PHP',
  async (_, engine) => {
    const { url, close } = await startGatewayOn(engine)({}, caseData)
    onTestFinished(close)
    for (const { name, request, response } of cases)
      expect.soft(await ask(url, request), name).toMatchObject({ status: 200, body: response })
  },
)

test('while all connections wait, lookups are 503 without details', async () => {
  const gateway = await startGatewayOn(postgresEngine)({ DATABASE_CONNECTIONS: '1' })
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
