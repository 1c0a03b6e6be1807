// PHP's own server has other headers than that of Node: no length, and Host. Its responses are passed on,
// too.

import { expect, onTestFinished, test } from 'vitest'
import { requestFor } from '../../http/raw.ts'
import { startOldService } from '../../old-service/start.ts'
import { bytesOf, closing, cutOver, lookup } from './support.ts'

const isOurs = (line: string) => /^(?:connection|keep-alive|x-request-id|date|host):/i.test(line)

test.for([
  ['GET', lookup, {}],
  ['HEAD', lookup, {}],
  ['GET', '/?Event=ProfileLookup&Users=1:2:3&Format=XML', {}],
  ['GET', '/?Event=Nothing', {}],
  ['GET', lookup, { gzip: true }],
  ['GET', lookup, { movedTo: 'https://elsewhere.example/' }],
] as const)('%s %s of PHP with %j', async ([method, target, switches]) => {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  const gateway = await cutOver(old.url, { COMPRESSION: 'all' })
  const request = requestFor(target, closing, method)
  const [direct, passed] = await Promise.all([bytesOf(old.url, request), bytesOf(gateway.url, request)])
  const added = method === 'HEAD' ? [] : [`Content-Length: ${direct.body.length}`]
  expect(passed.body).toBe(direct.body)
  expect(passed.head.filter((line) => !isOurs(line))).toEqual([
    ...direct.head.filter((line) => !isOurs(line)),
    ...added,
  ])
})
