// Golden pairs: the old service's bytes (test/php/generate.php wrote them down) against the gateway's.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../kit/engines.ts'
import { type Gateway, startGateway, temporaryFolder } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startGatewayOn } from '../../kit/server-gateway.ts'
import { ask, contentTypes } from './support/ask.ts'
import { caseData, cases } from './support/cases.ts'
import { runPhp } from './support/programs.ts'

const databases = {
  SQLite: startGateway,
  ...Object.fromEntries(engines.map((engine) => [engine.name, startGatewayOn(engine)])),
}

describe.for(Object.entries(databases))('over %s the gateway answers what PHP answered', ([, start]) => {
  let gateway: Pick<Gateway, 'url' | 'close'>
  beforeAll(async () => {
    gateway = await start({}, caseData)
  })
  afterAll(() => gateway.close())

  test.for(cases)('$name', async ({ request, response }) => {
    const reply = await ask(gateway.url, request)
    expect(reply.body).toBe(response)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toBe(contentTypes[response.startsWith('<?xml') ? 'XML' : 'JSON'])
  })
})

test.skipIf(!hasProgram('php'))('PHP still answers what it answered', () => {
  const { path, remove } = temporaryFolder()
  try {
    runPhp('generate.php', [path], '')
    const fresh = cases.map(({ name }) => [name, readFileSync(join(path, name), 'latin1')])
    expect(Object.fromEntries(fresh)).toEqual(
      Object.fromEntries(cases.map(({ name, response }) => [name, response])),
    )
  } finally {
    remove()
  }
})
