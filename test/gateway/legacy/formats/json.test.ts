// JSON that is not plain ASCII, or not said to be JSON, over a real socket.

import { expect, onTestFinished, test } from 'vitest'
import { startGateway } from '../../../kit/gateway.ts'
import { ask } from '../support/ask.ts'

async function started(settings: Readonly<Record<string, string>>) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  return gateway
}

const soren = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=s%C3%B8ren'

test('UTF-8 is sent as it is, with its length in bytes and a tag of its own', async () => {
  const { url } = await started({ LEGACY_JSON_FLAGS: 'unescaped-unicode', COMPRESSION: 'all' })
  const { headers, body } = await ask(url, `/?${soren}`)
  expect(Buffer.from(body, 'latin1').toString()).toBe(
    '{"søren":{"Id":2,"Username":"søren","DisplayName":"Søren Ærlig","Rank":3,"JoinDate":1230768000,"IsConfirmed":true,"Banned":false}}',
  )
  expect(headers['content-length']).toBe(String(body.length))
  // The second time on, it comes from the cache.
  for (let times = 0; times < 3; times++) expect((await ask(url, `/?${soren}`)).body).toBe(body)
  const known = await ask(url, `/?${soren}`, { headers: { 'if-none-match': headers.etag ?? '' } })
  expect(known.status).toBe(304)
  const many = `/?Event=ProfileLookup&Users=${Array.from({ length: 20 }, (_, id) => id).join(':')}`
  const whole = Buffer.from((await ask(url, many)).body, 'latin1').toString()
  const compressed = await fetch(url + many, { headers: { 'accept-encoding': 'gzip' } })
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(await compressed.text()).toBe(whole)
  const explained = await (await fetch(`${url}/explain?${soren}`)).json()
  expect(explained.answer.length).toBe(body.length)
  expect(explained.dialect).toContainEqual({
    setting: 'LEGACY_JSON_FLAGS',
    value: 'unescaped-unicode',
    effect: 'Characters beyond ASCII are UTF-8.',
  })
})

test.each(['Event=ProfileLookup&Users=1', 'Event=Nope'])('the type is as set: %s', async (query) => {
  const { url } = await started({ LEGACY_JSON_TYPE: 'text/javascript' })
  const { headers } = await ask(url, `/?${query}`)
  expect(headers).toMatchObject({ 'content-type': 'text/javascript', 'x-content-type-options': 'nosniff' })
  expect(headers['content-security-policy']).toBeUndefined()
  const inXml = await ask(url, `/?${query}&Format=XML`)
  expect(inXml.headers['content-type']).toBe('application/xml; charset=utf-8')
})

test.each(['Event=ProfileLookup&Users=1', 'Event=%3Cscript%3E'])(
  'as HTML, nothing in it can run: %s',
  async (query) => {
    const { url } = await started({ LEGACY_JSON_TYPE: 'text/html; charset=UTF-8' })
    const { headers } = await ask(url, `/?${query}`)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  },
)
