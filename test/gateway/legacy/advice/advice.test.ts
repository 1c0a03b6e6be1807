import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { UNKNOWN } from '../../../../src/gateway/legacy/habits/questions.ts'
import { findListLimit } from '../../../../src/migration/probe/limit.ts'
import { startAnswering, userOf } from '../../../kit/answering.ts'
import { sample, temporaryFolder } from '../../../kit/gateway.ts'
import { test } from '../../../kit/test.ts'
import { probe, startAsk } from './probe.ts'
import { adviceSuite } from './suite.ts'

// The other rows are run by night.
adviceSuite(10)

const two = ['1', '2']

test.for(['lower', 'asked,chat=lower'])(
  'of a chat identifier with capitals, names are %s',
  async (names, { withSettings }) => {
    const { path, remove } = temporaryFolder()
    onTestFinished(remove)
    const users = join(path, 'users.jsonl')
    writeFileSync(users, readFileSync(sample.users, 'utf8').replace('chat-1001', 'Chat-1001'))
    const { url } = await withSettings({ LEGACY_KEYS: names }, { ...sample, users })
    const { advice } = await probe(`${url}/`, { users: two, chat: 'Chat-1001' })
    expect(advice.LEGACY_KEYS).toBe(names)
  },
)

test.for<[settings: Readonly<Record<string, string>>, users: string[], unadvised: string]>([
  [{ LEGACY_KEYS: 'stored', LEGACY_KEYS_XML: 'stored' }, two, 'LEGACY_KEYS_XML'],
  // Of four users, any order is that of some field by chance.
  [{ LEGACY_ORDER: 'Rank', LEGACY_MAX_VALUES: '4' }, ['2', '3'], 'LEGACY_ORDER'],
  [{ LEGACY_ORDER: 'DisplayName', LEGACY_APPS_ORDER: 'id' }, two, 'LEGACY_APPS_ORDER'],
  [{ LEGACY_ORDER: 'ksort' }, two, 'LEGACY_APPS_ORDER'],
  [{ LEGACY_FIELDS: 'Id,Title' }, two, 'LEGACY_FIELDS'],
])('with %j and users %j, there is no advice on %s', async ([settings, users, name], { withSettings }) => {
  const { url } = await withSettings(settings)
  const { advice } = await probe(`${url}/`, { users })
  expect(Object.keys(advice)).not.toContain(name)
})

/** A service in front of a gateway. */
async function startFront(
  url: string,
  change: (request: IncomingMessage, response: ServerResponse, body: string) => string | null,
): Promise<string> {
  const front = await startAnswering(async (request, response) => {
    const answer = await fetch(url + (request.url ?? ''))
    const body = change(request, response, await answer.text())
    if (body === null) return
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
  })
  onTestFinished(front.close)
  return front.url
}

const refuse = (response: ServerResponse, status: number) => {
  response.writeHead(status).end('{"Error":"No"}')
  return null
}

test.for([401, 407])('%i for what does not exist is no habit', async (status, { gateway }) => {
  const url = await startFront(gateway.url, (request, response, body) =>
    request.url?.includes(UNKNOWN) ? refuse(response, status) : body,
  )
  const { advice } = await probe(url, { users: two })
  expect(advice).toMatchObject({ LEGACY_NUMBERS: 'number' })
  for (const name of ['UNKNOWN', 'EMPTY', 'UNKNOWN_TEXT', 'UNKNOWN_STATUS'])
    expect(Object.keys(advice)).not.toContain(`LEGACY_${name}`)
})

test.for([403, 429])('%i for a word among ids comes from a firewall', async (status, { gateway }) => {
  const url = await startFront(gateway.url, (request, response, body) =>
    /Users=(?:\d+:)?abc$/.test(request.url ?? '') ? refuse(response, status) : body,
  )
  const { advice } = await probe(url, { users: two })
  expect(advice).toMatchObject({ LEGACY_NUMBERS: 'number' })
  expect(advice.LEGACY_MALFORMED).toBeUndefined()
})

const shownFirst = 'Username,Id,DisplayName,Rank,JoinDate,IsConfirmed,Banned'
test.for<[what: string, change: (body: string, isXml: boolean) => string, fields: string | undefined]>([
  ['fields are sorted only in JSON', (body, isXml) => (isXml ? body : sortedFields(body)), undefined],
  [
    'XML has an order of its own',
    (body, isXml) => (isXml ? body.replaceAll(/(<Id>\d+<\/Id>)(<Username>.*?<\/Username>)/g, '$2$1') : body),
    shownFirst,
  ],
  [
    'there is no XML',
    (body, isXml) => (isXml ? '' : body.replaceAll(/("Id":\d+),("Username":"\w*")/g, '$2,$1')),
    shownFirst,
  ],
])('%s: the order of XML counts, if any', async ([, change, fields], { gateway }) => {
  const url = await startFront(gateway.url, ({ url: target = '' }, _, body) =>
    change(body, target.includes('Format=XML')),
  )
  const { advice } = await probe(url, { users: two })
  expect([advice.LEGACY_FIELDS, advice.LEGACY_JSON_FLAGS]).toEqual([fields, 'none'])
})

/** As a program writes them that names its fields in this order. Entries stay in theirs. */
function sortedFields(body: string): string {
  return body.replaceAll(/\{("(?:Id|Title)":.*?)\}/g, (_, members: string) => {
    const all = members.match(/"\w+":(?:"(?:[^"\\]|\\.)*"|[^,"]+)/g) ?? []
    return `{${all.sort().join()}}`
  })
}

test('a service whose errors for unknown ids differ has no list limit by them', async () => {
  const { url, close } = await startAnswering((request, response) => {
    const ids = (new URL(request.url ?? '', 'http://a').searchParams.get('Users') ?? '').split(':')
    const missing = ids.filter((id) => !two.includes(id))
    response.statusCode = ids.length > 100 ? 400 : missing.length > 0 ? 404 : 200
    const error = { error: missing.length > 1 ? 'not all found' : 'not found', missing }
    const entries = Object.fromEntries(ids.map((id) => [id, userOf(id)]))
    const refused = ids.length > 100 ? { error: 'at most 100' } : error
    response.end(JSON.stringify(response.statusCode === 200 ? entries : refused, null, 2))
  })
  onTestFinished(close)
  const { ask } = startAsk(url)
  expect(await findListLimit(ask, two)).toMatchObject({ most: 100, beyond: 'refused' })
  expect(await findListLimit(ask, ['1'])).toMatchObject({ beyond: 'refused' })
})
