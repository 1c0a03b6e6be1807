// An error comes in the format asked for, as far as that can be told.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, askBytes, contentTypes } from './support/ask.ts'
import { refusalIn } from './support/reply.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const P = 'Event=ProfileLookup'

test.each(['xml', 'Xml', 'XML+', 'YAML', 'JSON,XML', '0'])('Format=%s is refused in JSON', async (value) => {
  const reply = await ask(gateway.url, `/?${P}&Users=1&Format=${value}`)
  const message = expect.stringMatching(/JSON, XML/)
  expect(refusalIn(reply, 'JSON')).toEqual({ code: 'UnknownFormat', message })
  expect(reply.status).toBe(400)
})

test('Format twice is refused', async () => {
  const reply = await ask(gateway.url, `/?${P}&Users=1&Format=JSON&Format=JSON`)
  expect(refusalIn(reply, 'JSON').code).toBe('RepeatedParameter')
})

test.each([
  ['XML', 'Format=XML&Format=JSON'],
  ['JSON', 'Format=JSON&Format=XML'],
  ['JSON', 'Format=&Format=XML'],
  ['JSON', 'Format=xml&Format=XML'],
  ['XML', 'Format=XML&Format=YAML'],
] as const)('of two formats, the first names that of the refusal: %s for %s', async (format, formats) => {
  for (const query of [`Event=Nope&${formats}`, `${formats}&Event=Nope`, formats]) {
    const reply = await ask(gateway.url, `/?${query}`)
    expect(refusalIn(reply, format).code).toBe('RepeatedParameter')
    expect(reply.headers['content-type']).toBe(contentTypes[format])
  }
})

test('a format that cannot be read is passed over for the next one', async () => {
  const reply = await ask(gateway.url, `/?${P}&Users=1&Format=%zz&Format=XML`)
  expect(refusalIn(reply, 'XML').code).toBe('MalformedQuery')
})

test.each([
  'Format=XML&Event=Nope',
  'Event=Nope&Format=XML',
  'Event=Nope&Format=%58ML',
  'Event=Nope&For%6Dat=XML',
  'Event=%zz&Format=XML',
])('%s is refused in XML', async (query) => {
  const reply = await ask(gateway.url, `/?${query}`)
  expect(refusalIn(reply, 'XML').code).toMatch(/^(?:UnknownEvent|MalformedQuery)$/)
  expect(reply.headers['content-type']).toBe(contentTypes.XML)
})

test('a raw byte that is not UTF-8 is refused like an encoded one', async () => {
  const reply = await askBytes(gateway.url, `/?${P}&Users=\xff`)
  expect(reply.status).toBe(400)
  expect(refusalIn(reply, 'JSON').code).toBe('MalformedQuery')
})
