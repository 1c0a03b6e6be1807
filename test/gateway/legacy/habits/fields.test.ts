// The order of fields: as it is set, and as it is told of services that have it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../../src/config.ts'
import { legacyEvents } from '../../../../src/gateway/legacy/events/index.ts'
import { settings as declared } from '../../../../src/settings.ts'
import { startGateway } from '../../../kit/gateway.ts'
import { ask } from '../support/ask.ts'
import { tell } from './support/tell.ts'

type Settings = Readonly<Record<string, string>>
const P = 'Event=ProfileLookup'
const A = 'Event=AppLookup'

async function start(settings: Settings) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  return gateway
}

test('every field of every event may be named', () => {
  const { parse, allowed } = declared.LEGACY_FIELDS ?? {}
  const { dialect } = readConfig({})
  for (const { name } of legacyEvents(dialect).flatMap(({ fields }) => fields)) {
    expect(parse?.(name), name).toEqual([name])
    expect(allowed).toContain(name.replace(/^Service/, ''))
  }
})

test('those that are named come first, in both formats', async () => {
  const settings = { LEGACY_FIELDS: 'Username,DownloadLink,Banned,Title', LEGACY_SERVICE_NAME: 'Acme' }
  const { url } = await start(settings)
  const [user, app] = [await ask(url, `/?${P}&Users=1`), await ask(url, `/?${A}&Apps=1`)]
  expect(Object.keys(JSON.parse(user.body)[1])).toEqual([
    ...['Username', 'Banned', 'Id', 'DisplayName', 'Rank', 'JoinDate', 'IsConfirmed'],
  ])
  expect(Object.keys(JSON.parse(app.body)[1])).toEqual([
    ...['AcmeDownloadLink', 'Title', 'Version', 'Category', 'ChangelogLink'],
  ])
  const inXml = await ask(url, `/?${A}&Apps=1&Format=XML`)
  const names = [...inXml.body.matchAll(/<(\w+)(?:\/|>[^<]*<\/\w+)>/g)].map(([, name]) => name)
  expect(names).toEqual(Object.keys(JSON.parse(app.body)[1]))
})

test('sorted, JSON has entries and fields by their names, and XML has neither', async () => {
  const { url } = await start({ LEGACY_JSON_FLAGS: 'sorted', LEGACY_ORDER: 'id', LEGACY_FIELDS: 'Rank' })
  const query = `${P}&MethodOfAccessingUserInformation=username&Users=s%C3%B8ren:ada:O%27Brien:mallory`
  const { body } = await ask(url, `/?${query}`)
  const found = [...body.matchAll(/"([^"]*)":\{/g)].map(([, name]) => name)
  expect(found.length).toBeGreaterThan(1)
  expect(found).toEqual([...found].sort())
  for (const entry of Object.values<object>(JSON.parse(body)))
    expect(Object.keys(entry)).toEqual([
      ...['Banned', 'DisplayName', 'Id', 'IsConfirmed', 'JoinDate', 'Rank', 'Username'],
    ])
  const inXml = await ask(url, `/?${query}&Format=XML`)
  expect(inXml.body).toMatch(/<Data Value="ada"><Rank>\d+<\/Rank><Id>/)
  const ids = [...inXml.body.matchAll(/<Id>(\d+)/g)].map(([, id]) => Number(id))
  expect(ids).toEqual([...ids].sort((one, other) => one - other))
  const explained = await (await fetch(`${url}/explain?${query}`)).json()
  const effects = explained.dialect.map(({ setting }: { setting: string }) => setting)
  expect(effects).toContain('LEGACY_JSON_FLAGS')
  expect(effects).not.toContain('LEGACY_ORDER')
  expect(effects).not.toContain('LEGACY_FIELDS')
})

const alphabetical = 'Banned,DisplayName,Id,IsConfirmed,JoinDate,Rank,Username'
const ofApps = 'Category,ChangelogLink,ServiceDownloadLink,Title,Version'
const shuffled = 'Username,Id,DisplayName,Rank,JoinDate,Banned,IsConfirmed'

test.for<[settings: Settings, fields: string | undefined, flags: string]>([
  [{}, undefined, 'none'],
  [{ LEGACY_FIELDS: 'Id,Title' }, undefined, 'none'],
  [{ LEGACY_FIELDS: shuffled }, shuffled, 'none'],
  [{ LEGACY_FIELDS: 'Version' }, 'Version,Title,Category,ChangelogLink,ServiceDownloadLink', 'none'],
  [
    { LEGACY_FIELDS: `DownloadLink,${shuffled}`, LEGACY_SERVICE_NAME: 'Acme' },
    `${shuffled},AcmeDownloadLink,Title,Version,Category,ChangelogLink`,
    'none',
  ],
  [{ LEGACY_FIELDS: alphabetical }, alphabetical, 'none'],
  // Where the order of entries is not seen, XML tells what is sorted.
  [
    { LEGACY_FIELDS: `${alphabetical},${ofApps}`, LEGACY_MAX_VALUES: '1' },
    `${alphabetical},${ofApps}`,
    'none',
  ],
  [{ LEGACY_JSON_FLAGS: 'sorted' }, undefined, 'sorted'],
  [{ LEGACY_JSON_FLAGS: 'sorted', LEGACY_ORDER: 'name' }, undefined, 'sorted'],
  [{ LEGACY_JSON_FLAGS: 'sorted', LEGACY_MAX_VALUES: '1' }, undefined, 'sorted'],
  [{ LEGACY_JSON_FLAGS: 'sorted', LEGACY_FIELDS: shuffled }, shuffled, 'sorted'],
])('of %j, %s and %s are told', async ([settings, fields, flags]) => {
  const told = await tell((await start(settings)).url)
  expect(told.LEGACY_FIELDS).toBe(fields)
  expect(told.LEGACY_JSON_FLAGS).toBe(flags)
})

test.for<[what: string, change: (body: string, isXml: boolean) => string, fields: string | undefined]>([
  ['only fields are sorted in JSON', (body, isXml) => (isXml ? body : sortedFields(body)), undefined],
  [
    'XML has an order of its own',
    (body, isXml) => (isXml ? body.replaceAll(/(<Id>\d+<\/Id>)(<Username>.*?<\/Username>)/g, '$2$1') : body),
    'Username,Id,DisplayName,Rank,JoinDate,IsConfirmed,Banned',
  ],
  [
    'there is no XML',
    (body, isXml) => (isXml ? '' : body.replaceAll(/("Id":\d+),("Username":"\w*")/g, '$2,$1')),
    'Username,Id,DisplayName,Rank,JoinDate,IsConfirmed,Banned',
  ],
])('%s: the order of XML counts, if any', async ([, change, fields]) => {
  const { url } = await start({})
  const front = createServer(async (request, response) => {
    const answer = await fetch(url + (request.url ?? ''))
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(change(await answer.text(), (request.url ?? '').includes('Format=XML')))
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  onTestFinished(() => void front.close())
  const address = front.address()
  const told = await tell(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  expect(told.LEGACY_FIELDS).toBe(fields)
  expect(told.LEGACY_JSON_FLAGS).toBe('none')
})

/** As a program has them that names its fields in this order. Entries stay where they are. */
function sortedFields(body: string): string {
  return body.replaceAll(/\{("(?:Id|Title)":.*?)\}/g, (_, members: string) => {
    const all = members.match(/"\w+":(?:"(?:[^"\\]|\\.)*"|[^,"]+)/g) ?? []
    return `{${all.sort().join()}}`
  })
}
