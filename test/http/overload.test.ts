// Requests beyond MAX_IN_FLIGHT are refused at once, in the format they asked for, and counted.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { startGatewayOver } from '../kit/gateway.ts'
import { test as base } from '../kit/test.ts'
import { exchange, openSocket, requestFor } from './raw.ts'

const MOST = 32
const LOOKUP = '/?Event=ProfileLookup&Users=1'

/** A gateway over an old service that does not respond, with as many requests in flight as may be. */
const test = base.extend('full', async ({ task: _ }, { onCleanup }) => {
  const oldService = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => oldService.once('listening', resolve))
  const { port } = oldService.address() as AddressInfo // a TCP server's address is no string
  const gateway = await startGatewayOver({
    DATABASE_URL: `http://127.0.0.1:${port}/`,
    ...{ DATABASE_CONNECTIONS: '100', DATABASE_TIMEOUT: '60000', MAX_IN_FLIGHT: String(MOST) },
  })
  onCleanup(async () => {
    oldService.closeAllConnections()
    oldService.close()
    await gateway.close()
  })
  const sockets = await Promise.all(Array.from({ length: MOST }, () => openSocket(gateway.url)))
  for (const [at, socket] of sockets.entries()) socket.write(requestFor(`${LOOKUP}:${1000 + at}`))
  await expect.poll(gateway.inFlight).toBe(MOST)
  return gateway
})

test.for([
  ['JSON', LOOKUP, /^\{"Error":\{"Code":"Overloaded","Message":"The service is overloaded/],
  ['XML', `${LOOKUP}&Format=XML`, /<ServiceAPI><Error><Code>Overloaded<\/Code><Message>The service/],
  ['a page', '/', /"Code":"Overloaded"/],
  ['GraphQL', '/graphql?query={__typename}', /^\{"errors":\[\{"message":".*"OVERLOADED"\}\}\]\}$/],
] as const)('%s is refused', async ([, target, refusal], { full: { url, observations } }) => {
  for (let time = 0; time < 2; time++)
    expect(await exchange(url, requestFor(target))).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'cache-control': 'no-store' },
      body: expect.stringMatching(refusal),
    })
  const refused = observations.filter((one) => one.type === 'request' && one.about.outcome === 'Overloaded')
  expect(refused).toMatchObject([{ status: 503 }, { status: 503 }])
})
