// How an old service writes XML is told from its answers: whatever it is set to, a gateway is asked, and
// another one with the settings that were told answers with the same bytes. That a gateway writes as PHP does
// is settled in formats/xml-styles.test.ts.

import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { adviseOn } from '../../../../src/migration/probe/advice.ts'
import { createAsk } from '../../../../src/migration/probe/ask.ts'
import { findKnown } from '../../../../src/migration/probe/known.ts'
import { findSamples } from '../../../../src/migration/probe/samples.ts'
import { createCall } from '../../../../src/stores/old-service/call.ts'
import { type Gateway, startGateway } from '../../../kit/gateway.ts'
import { hasProgram } from '../../../kit/programs.ts'
import { type Switches, startOldService } from '../../../old-service/start.ts'
import { ask as send } from '../support/ask.ts'

type Settings = Readonly<Record<string, string>>
const plain = { LEGACY_XML_STYLE: 'plain' }
const python = { LEGACY_XML_FLAGS: 'spaced-tags,no-newline' }

const services: readonly Settings[] = [
  {},
  { LEGACY_XML_FLAGS: 'open-fields' },
  { LEGACY_XML_FLAGS: 'cdata,no-newline' },
  { LEGACY_XML_INDENT: '2' },
  { LEGACY_XML_TYPE: 'text/xml' },
  { LEGACY_XML_ROOT: 'version="1.0"' },
  { ...plain, LEGACY_XML_ROOT: `version='1.0' count="3"`, LEGACY_XML_FLAGS: 'lined-root,newline' },
  { LEGACY_XML_ROOT: 'version="1.0"', ...python },
  { LEGACY_XML_STYLE: 'dom' },
  { LEGACY_XML_STYLE: 'dom', LEGACY_XML_FLAGS: 'open-tags', LEGACY_XML_INDENT: '2' },
  { LEGACY_XML_STYLE: 'dom', LEGACY_XML_FLAGS: 'open-fields,cdata,crlf', LEGACY_XML_INDENT: '4' },
  { LEGACY_XML_STYLE: 'dom-node' },
  { LEGACY_XML_STYLE: 'dom-node', LEGACY_XML_FLAGS: 'newline,open-fields' },
  { LEGACY_XML_STYLE: 'xmlwriter', LEGACY_XML_INDENT: '1' },
  plain,
  {
    ...plain,
    LEGACY_XML_FLAGS: 'cdata,newline,inline-declaration',
    LEGACY_XML_TYPE: 'text/html; charset=UTF-8',
  },
  { ...plain, LEGACY_XML_DECLARATION: 'omit', LEGACY_XML_INDENT: 'tab' },
  { ...plain, LEGACY_XML_FLAGS: 'bare-apostrophes' },
  { ...plain, LEGACY_XML_FLAGS: 'apos,newline' },
  { ...plain, LEGACY_XML_FLAGS: 'single-quotes,filled-cdata' },
  { ...plain, LEGACY_XML_FLAGS: 'needed-cdata' },
  { ...plain, LEGACY_XML_FLAGS: 'needed-cdata,no-cdata:ChangelogLink' },
  { ...plain, LEGACY_XML_FLAGS: 'cdata,no-cdata:Version,no-cdata:DownloadLink' },
  { LEGACY_XML_STYLE: 'dom', LEGACY_XML_FLAGS: 'needed-cdata', LEGACY_XML_INDENT: '2' },
  { LEGACY_XML_FLAGS: 'filled-cdata,no-cdata:Username,no-cdata:ChangelogLink' },
  { ...plain, LEGACY_XML_FLAGS: 'single-quotes,inline-fields,crlf', LEGACY_XML_INDENT: 'tab' },
  { ...plain, LEGACY_XML_FLAGS: 'inline-fields,lined-root,newline,cdata', LEGACY_XML_INDENT: '0' },
  { ...python, LEGACY_XML_STYLE: 'dom', LEGACY_XML_DECLARATION: "<?xml version='1.0' encoding='utf-8'?>" },
  { LEGACY_XML_FLAGS: 'spaced-tags,no-newline,decimal', LEGACY_XML_DECLARATION: 'omit' },
  {
    LEGACY_XML_STYLE: 'xmlwriter',
    LEGACY_XML_FLAGS: 'closed-tags',
    LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>',
    LEGACY_XML_INDENT: 'tab',
  },
  {
    ...plain,
    LEGACY_XML_FLAGS: 'closed-tags,bare-apostrophes,inline-declaration',
    LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>',
  },
]

type Asked = Pick<Gateway, 'url'>

const gateways: Gateway[] = []
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()))
})

async function start(settings: Settings): Promise<Gateway> {
  const gateway = await startGateway(settings)
  gateways.push(gateway)
  return gateway
}

/** What the probe advises about XML, where these users are known. */
async function told({ url }: Asked, users: readonly string[], { samples = false } = {}): Promise<Settings> {
  const call = createCall({ url, headers: {} }, { timeout: 5000, connections: 1 })
  const { ask } = createAsk(
    call,
    async () => {},
    new AbortController().signal,
    () => {},
  )
  const found = await findKnown(ask, { users, apps: ['2'] })
  const shown = samples ? await findSamples(ask, found) : { users: [], apps: [] }
  const known = { ...found, samples: shown, chats: new Map() }
  const advice = await adviseOn(ask, known, { method: null, tried: [], chats: known.chats }, '/')
  return Object.fromEntries(Object.entries(advice).filter(([name]) => /^LEGACY_(?:XML|UNKNOWN)/.test(name)))
}

async function answersOf({ url }: Asked, queries: readonly string[]) {
  return Promise.all(
    queries.map(async (query) => {
      const { body, headers } = await send(url, `/?${query}&Format=XML`)
      return [query, headers['content-type'], body]
    }),
  )
}

const P = 'Event=ProfileLookup'
const byName = `${P}&MethodOfAccessingUserInformation=username`
const ordinary = [
  `${P}&Users=1`,
  `${P}&Users=1:3:4`,
  `${P}&Users=999`,
  `${P}&Users=1:999`,
  'Event=AppLookup&Apps=2',
]
const all = [
  ...ordinary,
  `${P}&Users=2:5:6`,
  `${byName}&Users=s%C3%B8ren:salt%26pepper`,
  'Event=AppLookup&Apps=1:3',
]

describe.each(['omit', 'empty'])('where unknown values are: %s', (unknown) => {
  test.each(services)('%j answers alike, of those who are known', async (settings) => {
    const old = await start({ ...settings, LEGACY_UNKNOWN_XML: unknown })
    const advice = await told(old, ['1', '2', '6'])
    expect(await answersOf(await start(advice), all), JSON.stringify(advice)).toEqual(
      await answersOf(old, all),
    )
  })

  test.each(services)('%j answers alike, where one is known and others are found', async (settings) => {
    const old = await start({ ...settings, LEGACY_UNKNOWN_XML: unknown })
    const advice = await told(old, ['1'], { samples: true })
    expect(await answersOf(await start(advice), all), JSON.stringify(advice)).toEqual(
      await answersOf(old, all),
    )
  })

  test.each(services)('%j answers alike in ASCII, where nothing else is known', async (settings) => {
    const old = await start({ ...settings, LEGACY_UNKNOWN_XML: unknown })
    const advice = await told(old, ['1'])
    expect(await answersOf(await start(advice), ordinary), JSON.stringify(advice)).toEqual(
      await answersOf(old, ordinary),
    )
  })
})

describe.skipIf(!hasProgram('php'))('a service in PHP', () => {
  test.each<Switches>([
    {},
    { pretty: true },
    { xmlDeclaration: false },
    { pretty: true, xmlDeclaration: false, unknown: 'null', serviceName: 'Acme' },
  ])('%j', async (switches) => {
    const old = await startOldService()
    onTestFinished(() => old.close())
    old.switchTo(switches)
    const advice = await told(old, ['1', '2'])
    const named = { ...advice, LEGACY_SERVICE_NAME: switches.serviceName ?? 'Service' }
    expect(await answersOf(await start(named), all), JSON.stringify(advice)).toEqual(
      await answersOf(old, all),
    )
  })
})

test.each([
  // Nothing is to be said where XML follows JSON.
  [{}, undefined],
  [{ LEGACY_UNKNOWN: 'null' }, undefined],
  [{ LEGACY_UNKNOWN: 'omit', LEGACY_UNKNOWN_XML: 'empty' }, 'empty'],
  [{ LEGACY_UNKNOWN_XML: 'empty-fields' }, 'empty-fields'],
  [{ LEGACY_UNKNOWN_XML: 'unconfirmed' }, 'unconfirmed'],
  [{ LEGACY_UNKNOWN: 'zeros', LEGACY_UNKNOWN_XML: 'zeros' }, 'zeros'],
  [{ LEGACY_UNKNOWN_XML: 'error' }, 'error'],
  [{ LEGACY_UNKNOWN: '{"a":{"b":7},"c":"{message}"}', LEGACY_UNKNOWN_XML: 'error' }, 'error'],
  [{ LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_XML: 'omit' }, 'omit'],
])('%j: %s', async (settings, expected) => {
  expect((await told(await start(settings), ['1'])).LEGACY_UNKNOWN_XML).toBe(expected)
})

test('a service without a habit is told its style, and nothing that departs from it', async () => {
  expect(await told(await start({}), ['1', '2'])).toEqual({
    LEGACY_UNKNOWN: 'omit',
    LEGACY_XML_STYLE: 'simplexml',
    LEGACY_XML_INDENT: 'none',
    LEGACY_XML_TYPE: 'application/xml; charset=utf-8',
  })
})
