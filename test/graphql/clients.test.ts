// Real clients (client-requests.ts) get their data, in the media type that they prefer.

import { expect } from 'vitest'
import { exchange } from '../http/raw.ts'
import { test } from '../kit/test.ts'
import { type ClientRequest, clients } from './client-requests.ts'

test.for(Object.entries<ClientRequest>(clients))('%s', async ([, sent], { gateway }) => {
  const { method, target, headers, body } = sent
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []))
  const length = method === 'POST' ? [`Content-Length: ${body.length}`] : []
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway', ...lines, ...length, 'Connection: close']
  const response = await exchange(gateway.url, `${head.join('\r\n')}\r\n\r\n${body}`)
  expect(response.status).toBe(200)
  expect(response.body).toMatch(/^\{"data":\{"users":\[\{"id":"1","username":"Ada"[^\]]*\}\]\}\}$/)
  const isNew = headers.some((text) => text.includes('graphql-response+json'))
  const type = isNew ? 'application/graphql-response+json' : 'application/json'
  expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`)
})
