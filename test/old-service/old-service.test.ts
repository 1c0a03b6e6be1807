// The old service that other tests ask: each of its switches does what it says.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { freePort } from '../kit/postgres/server.ts'
import { hasProgram } from '../kit/programs.ts'
import { outcomeOf } from '../kit/run-lookup.ts'
import { type OldService, type Switches, startOldService } from './start.ts'

describe.skipIf(!hasProgram('php'))('the old service', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  async function ask(query: string, switches: Switches = {}) {
    old.switchTo(switches)
    const response = await fetch(`${old.url}?${query}`)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.text(),
    }
  }
  const bodyOf = async (query: string, switches: Switches = {}) => (await ask(query, switches)).body

  const byId = 'Event=ProfileLookup&Users='
  const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
  const ada =
    '{"Id":1,"Username":"Ada","DisplayName":"Ada of the Hill","Rank":9,"JoinDate":1199145600,"IsConfirmed":true,"Banned":false}'

  test('answers users and apps, in JSON and in XML', async () => {
    expect(await ask(`${byId}1`)).toEqual({ status: 200, type: 'application/json', body: `{"1":${ada}}` })
    expect(await bodyOf('Event=AppLookup&Apps=2:1')).toMatch(/^\{"2":\{"Title":"Paint & Paper".*,"1":\{/)
    expect(await bodyOf(`${byId}1:3&Format=XML`)).toMatch(
      /^<\?xml version="1\.0"\?>\n<ServiceAPI><Data Value="1"><Id>1<\/Id>.*<IsConfirmed>1<\/IsConfirmed><Banned\/><\/Data>.*<Banned>1<\/Banned><\/Data><\/ServiceAPI>\n$/,
    )
    expect(await bodyOf(`${byName}ADA`)).toBe(`{"ADA":${ada}}`)
    expect(await bodyOf(byName.replace('username', 'chat').concat('chat-1001'))).toBe(`{"chat-1001":${ada}}`)
  })

  test.each<[string, Switches, string, string | RegExp]>([
    ['unknown: missing', {}, `${byId}1:99`, `{"1":${ada}}`],
    ['unknown: nothing at all', {}, `${byId}99`, '{}'],
    ['unknown: null', { unknown: 'null' }, `${byId}99`, '{"99":null}'],
    ['unknown: null in XML', { unknown: 'null' }, `${byId}99&Format=XML`, /<Data Value="99"\/>/],
    ['unknown: error', { unknown: 'error' }, `${byId}1:99`, '{"error":"Nothing found for 99"}'],
    ['unknown: list', { unknown: 'list' }, `${byId}99`, '{"99":[]}'],
    ['strict ids', {}, `${byId}01:1e0:1`, `{"1":${ada}}`],
    ['loose ids', { looseIds: true }, `${byId}01:1e0`, `{"01":${ada},"1e0":${ada}}`],
    ['usernames in any case', {}, `${byName}aDA`, `{"aDA":${ada}}`],
    ['usernames in one case', { caseSensitive: true }, `${byName}aDA:Ada`, `{"Ada":${ada}}`],
    ['entries by the username as it is stored', { naming: 'stored' }, `${byName}aDA:ADA`, `{"Ada":${ada}}`],
    ['entries by id', { naming: 'id' }, `${byName}aDA`, `{"1":${ada}}`],
    ['a header that lacks', { wants: 'X-Key: abc' }, `${byId}1`, '<h1>Forbidden</h1>\n'],
    ['a login that lacks', { login: 'me:secret' }, `${byId}1`, '<h1>Unauthorized</h1>\n'],
    ['gzip', { gzip: true }, `${byId}1`, `{"1":${ada}}`],
    ['a blocked text', { blocked: '<' }, `${byName}%3Cb:Ada`, '<h1>Forbidden</h1>\n'],
    ['another text than the blocked one', { blocked: '<' }, `${byName}b:Ada`, `{"Ada":${ada}}`],
    ['another row than the broken one', { broken: 2 }, `${byId}1`, `{"1":${ada}}`],
    ['pretty printing', { pretty: true }, `${byId}1`, /^\{\n {4}"1": \{\n {8}"Id": 1,/],
    [
      'pretty printing of XML',
      { pretty: true },
      `${byId}1&Format=XML`,
      /<ServiceAPI>\n {2}<Data Value="1">\n/,
    ],
    ['no declaration', { xmlDeclaration: false }, `${byId}99&Format=XML`, '<ServiceAPI/>\n'],
    ['another name', { serviceName: 'Acme' }, 'Event=AppLookup&Apps=1', /"AcmeDownloadLink"/],
    ['another name in XML', { serviceName: 'Acme' }, `${byId}99&Format=XML`, /<AcmeAPI\/>/],
    [
      'another chat method',
      { chatMethod: 'talk' },
      byName.replace('username', 'talk').concat('chat-1001'),
      `{"chat-1001":${ada}}`,
    ],
    ['a list limit', { maxValues: 2 }, `${byId}1:2:3`, '{"error":"More than 2 values"}'],
    ['a list within the limit', { maxValues: 2 }, `${byId}1:1:99`, `{"1":${ada}}`],
  ])('%s', async (_, switches, query, expected) => {
    const body = await bodyOf(query, switches)
    if (typeof expected === 'string') expect(body).toBe(expected)
    else expect(body).toMatch(expected)
  })

  test('errors have a status of their own, or 200', async () => {
    expect(await ask('Event=Nothing')).toMatchObject({ status: 400, body: '{"error":"Unknown event"}' })
    expect((await ask('Event=Nothing', { errorStatus: '200' })).status).toBe(200)
    expect((await ask(byId)).status).toBe(400)
    expect(await bodyOf('Event=Nothing&Format=XML')).toContain('<Error>Unknown event</Error>')
  })

  test('it can be slow, fail, and hang up half-way', async () => {
    const started = performance.now()
    await ask(`${byId}1`, { delay: 300 })
    expect(performance.now() - started).toBeGreaterThan(290)
    expect((await ask(`${byId}1`, { failing: true })).status).toBe(500)
    expect((await ask(`${byName}%3Cb`, { blocked: '<' })).status).toBe(403)
    expect(await bodyOf(`${byId}1:2`, { broken: 2 })).toContain('Malformed UTF-8 characters')
    await expect(ask(`${byId}1`, { cutting: true })).rejects.toThrow()
  })
})

describe.skipIf(!hasProgram('php'))('the one to play with', () => {
  const entry = new URL('run.ts', import.meta.url).pathname
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [entry, ...args])
    onTestFinished(() => void child.kill())
    return child
  }

  test('answers on the port that is named', async () => {
    const port = await freePort()
    const child = run('--port', String(port))
    await once(child.stdout, 'data')
    const response = await fetch(`http://127.0.0.1:${port}/?Event=ProfileLookup&Users=1`)
    expect(await response.json()).toHaveProperty('1')
  })

  test('says in one line that a port is taken', async () => {
    const { url, close } = await startAnswering((_, response) => void response.end())
    onTestFinished(close)
    const { port } = new URL(url)
    expect(await outcomeOf(run('--port', port))).toEqual({
      status: 1,
      stdout: '',
      stderr: `Port ${port} is taken. Choose another: npm run old-service -- --port NUMBER\n`,
    })
  })

  test.each([[['--port', 'x']], [['--port', '70000']], [['--prot', '1']], [['1']]])(
    '%j: usage',
    async (args) => {
      expect(await outcomeOf(run(...args))).toEqual({
        status: 2,
        stdout: '',
        stderr: 'Usage: npm run old-service -- [--port NUMBER]\n',
      })
    },
  )
})
