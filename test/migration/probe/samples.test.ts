// The users and apps that show how an old service writes are found in lists of ids that may be there. The
// service is a gateway over the data of the golden cases; the one user that is named has letters of ASCII
// only, and is alone among its neighbours.

import { describe, expect, onTestFinished, test } from 'vitest'
import { adviseOn } from '../../../src/migration/probe/advice.ts'
import { createAsk } from '../../../src/migration/probe/ask.ts'
import { findKnown } from '../../../src/migration/probe/known.ts'
import { findSamples } from '../../../src/migration/probe/samples.ts'
import { createCall } from '../../../src/stores/old-service/call.ts'
import { caseData } from '../../gateway/legacy/support/cases.ts'
import { startGateway } from '../../kit/gateway.ts'

type Settings = Readonly<Record<string, string>>
const NAMED = '9007199254740991'
const none = { users: [], apps: [] }

async function probed(settings: Settings) {
  const { url, close } = await startGateway(settings, caseData)
  onTestFinished(close)
  const call = createCall({ url, headers: {} }, { timeout: 10_000, connections: 1 })
  const { ask, sent } = createAsk(
    call,
    async () => {},
    new AbortController().signal,
    () => {},
  )
  const found = await findKnown(ask, { users: [NAMED], apps: ['1'] })
  const before = sent()
  const samples = await findSamples(ask, found)
  const advise = (shown: typeof samples) =>
    adviseOn(
      ask,
      { ...found, samples: shown, chats: new Map() },
      { method: null, tried: [], chats: new Map() },
      '/',
    )
  return { samples, advise, sent, cost: sent() - before }
}

test('a few users and apps show all that there is', async () => {
  const { samples } = await probed({})
  const texts = samples.users.flatMap(({ username, displayName }) => [username, displayName])
  for (const shown of [
    /[\u0080-\ud7ff\ue000-\uffff]/,
    /[\ud800-\udbff]/,
    /^$/,
    /'/,
    /"/,
    /&/,
    /[<>]/,
    /\//,
    /^\d+$/,
  ])
    expect(texts.filter((text) => shown.test(text))).not.toEqual([])
  expect(samples.users.length).toBeLessThanOrEqual(6)
  expect(samples.apps.length).toBeGreaterThan(0)
  const ids = samples.users.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((one, other) => one - other))
})

test.each(['1', '3'])(
  'of a service that answers lists of %s, no more are asked for at once',
  async (most) => {
    const { samples, cost } = await probed({ LEGACY_MAX_VALUES: most })
    const allowed = most === '1' ? 0 : Number(most)
    expect(samples.users.length).toBeLessThanOrEqual(allowed)
    expect(samples.apps.length).toBeLessThanOrEqual(allowed)
    // The list limit is halved from 1,200 values on.
    expect(cost).toBeLessThan(16)
  },
)

test('texts that came as numbers are told, and cost no question', async () => {
  const { samples, advise, sent } = await probed({ LEGACY_JSON_FLAGS: 'numeric-check,pretty' })
  const texts = samples.users.flatMap(({ username, displayName }) => [username, displayName])
  expect(texts.filter((text) => /^\d+$/.test(text))).not.toEqual([])
  expect(await advise(samples)).toMatchObject({ LEGACY_JSON_FLAGS: 'numeric-check,pretty' })
  const usual = await probed({ LEGACY_JSON_FLAGS: 'pretty' })
  expect(await usual.advise(usual.samples)).toMatchObject({ LEGACY_JSON_FLAGS: 'pretty' })
  expect(sent()).toBe(usual.sent())
})

test.each<Settings>([{ LEGACY_BOOLEANS: 'strval' }, { LEGACY_BOOLEANS: 'integer,strval' }])(
  'so are booleans of two types: %j',
  async (settings) => {
    const habits = { ...settings, LEGACY_JSON_FLAGS: 'numeric-check' }
    const { samples, advise } = await probed(habits)
    expect(await advise(samples)).toMatchObject(habits)
  },
)

describe('what only samples tell', () => {
  test.each<Settings>([
    ...['none', 'html', 'html-json', 'compat', 'compat-json'].map((words) => ({
      LEGACY_TEXT_ESCAPES: words,
    })),
    { LEGACY_TEXT_ESCAPES: 'html', LEGACY_XML_STYLE: 'plain', LEGACY_JSON_FLAGS: 'hex-amp' },
    { LEGACY_JSON_FLAGS: 'unescaped-unicode,unescaped-slashes' },
    { LEGACY_JSON_FLAGS: 'hex-tag,hex-amp,hex-apos,hex-quot' },
    { LEGACY_JSON_FLAGS: 'hex-apos,pretty' },
    { LEGACY_XML_STYLE: 'dom', LEGACY_XML_FLAGS: 'filled-cdata' },
    { LEGACY_XML_STYLE: 'plain', LEGACY_XML_FLAGS: 'apos' },
  ])('%j', async (settings) => {
    const { samples, advise } = await probed(settings)
    expect(await advise(none)).not.toMatchObject(settings)
    expect(await advise(samples)).toMatchObject(settings)
  })
})
