// Habits of lists are told of a service that has them: of a real gateway, with few questions.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { adviseOn } from '../../../../src/migration/probe/advice.ts'
import { createAsk } from '../../../../src/migration/probe/ask.ts'
import { findKnown } from '../../../../src/migration/probe/known.ts'
import { findListLimit } from '../../../../src/migration/probe/limit.ts'
import { createCall } from '../../../../src/stores/old-service/call.ts'
import { startAnswering, userOf } from '../../../kit/answering.ts'
import { sample, startGateway, temporaryFolder } from '../../../kit/gateway.ts'

const byDefault = {
  LEGACY_LIST: 'colon',
  LEGACY_LOOSE_IDS: 'digits',
  LEGACY_USERNAMES: 'fold',
  LEGACY_DUPLICATES: 'once',
  LEGACY_MAX_VALUES: '1000',
  LEGACY_TOO_MANY: 'refuse',
  LEGACY_KEYS: 'asked',
  LEGACY_ORDER: 'asked',
}

type Settings = Readonly<Record<string, string>>

async function tell(
  settings: Settings,
  users: readonly string[],
  { chat = 'chat-1001', data = sample }: { readonly chat?: string; readonly data?: typeof sample } = {},
) {
  const { url, close } = await startGateway(settings, data)
  onTestFinished(close)
  const call = createCall({ url, headers: {} }, { timeout: 10_000, connections: 1 })
  const { signal } = new AbortController()
  const unhurried = async () => {}
  const { ask, sent } = createAsk(call, unhurried, signal, () => {})
  const known = await findKnown(ask, { users, apps: ['1'] })
  const [first] = known.users
  const chats = new Map(first?.id === 1 ? [[chat, first]] : [])
  const advice = await adviseOn(
    ask,
    { ...known, samples: { users: [], apps: [] }, chats },
    { method: 'chat', chats, tried: [] },
    '/',
  )
  return { advice, sent: sent() }
}

const two = ['1', '2']

test.for<[users: readonly string[], settings: Settings, told?: Settings]>([
  [two, {}],
  ...['colon-trimmed', 'colon-comma', 'colon-comma-trimmed'].map((list): [readonly string[], Settings] => [
    two,
    { LEGACY_LIST: list },
  ]),
  ...['exact', 'canonical', 'php', 'numeric'].map((ids): [readonly string[], Settings] => [
    two,
    { LEGACY_LOOSE_IDS: ids },
  ]),
  ...['php', 'numeric'].map((ids): [readonly string[], Settings] => [
    two,
    { LEGACY_LOOSE_IDS: ids, LEGACY_MALFORMED: 'unknown' },
  ]),
  ...['php', 'numeric'].map((ids): [readonly string[], Settings] => [
    two,
    { LEGACY_LOOSE_IDS: ids, LEGACY_LIST: 'colon-comma-trimmed' },
  ]),
  // Where nothing is malformed, there is no difference.
  [two, { LEGACY_LOOSE_IDS: 'canonical', LEGACY_MALFORMED: 'unknown' }, { LEGACY_LOOSE_IDS: 'exact' }],
  [two, { LEGACY_MALFORMED: 'drop' }],
  [two, { LEGACY_MALFORMED: 'drop', LEGACY_LOOSE_IDS: 'php' }],
  [two, { LEGACY_MALFORMED: 'drop', LEGACY_UNKNOWN: 'null' }],
  [two, { LEGACY_MALFORMED: 'drop', LEGACY_UNKNOWN: 'refuse' }],
  [two, { LEGACY_MALFORMED: 'drop', LEGACY_UNKNOWN: 'null', LEGACY_NO_VALUES: 'empty' }],
  [two, { LEGACY_MALFORMED: 'drop', LEGACY_MAX_VALUES: '1' }],
  // Where a list without values is answered, that is the same.
  [two, { LEGACY_MALFORMED: 'drop', LEGACY_NO_VALUES: 'empty' }, { LEGACY_MALFORMED: 'unknown' }],
  [two, { LEGACY_USERNAMES: 'exact' }],
  [two, { LEGACY_USERNAMES: 'trailing-blanks' }],
  [two, { LEGACY_USERNAMES: 'trailing-blanks', LEGACY_LOOSE_IDS: 'php' }],
  // What is trimmed already has no trailing blanks.
  [two, { LEGACY_USERNAMES: 'trailing-blanks', LEGACY_LIST: 'colon-trimmed' }, { LEGACY_USERNAMES: 'fold' }],
  [two, { LEGACY_DUPLICATES: 'each' }],
  ...['lower', 'read', 'stored', 'id', 'username'].map((keys): [readonly string[], Settings] => [
    two,
    { LEGACY_KEYS: keys },
  ]),
  ...[
    'asked,chat=id',
    'read,chat=id',
    'stored,id=asked,chat=id',
    'lower,id=read',
    'id,id=asked,chat=asked',
    'username,chat=asked',
    'username,chat=id',
    'asked,chat=username',
    'read,chat=username',
  ].map((keys): [readonly string[], Settings] => [two, { LEGACY_KEYS: keys }]),
  ...[
    { LEGACY_KEYS: 'id', LEGACY_KEYS_XML: 'asked' },
    { LEGACY_KEYS: 'id', LEGACY_KEYS_XML: 'stored' },
    { LEGACY_KEYS: 'lower', LEGACY_KEYS_XML: 'stored,chat=id' },
    { LEGACY_KEYS_XML: 'read' },
    { LEGACY_KEYS_XML: 'username', LEGACY_UNKNOWN: 'null', LEGACY_XML_STYLE: 'dom' },
  ].map((names): [readonly string[], Settings] => [two, names]),
  // Nobody's chat identifier is known.
  [['2'], { LEGACY_KEYS: 'read,chat=id' }, { LEGACY_KEYS: 'read' }],
  [two, { LEGACY_KEYS: 'id', LEGACY_USERNAMES: 'exact' }],
  [two, { LEGACY_KEYS: 'read', LEGACY_LOOSE_IDS: 'php' }],
  // Without other spellings there is no difference.
  [two, { LEGACY_KEYS: 'read', LEGACY_LOOSE_IDS: 'exact' }, { LEGACY_KEYS: 'asked' }],
  [two, { LEGACY_ORDER: 'id' }],
  [['2'], { LEGACY_ORDER: 'id' }],
  [['2'], { LEGACY_ORDER: 'id', LEGACY_MAX_VALUES: '2' }],
  [['2'], {}],
  ...['id desc', 'Username', 'Username nocase desc', 'DisplayName', 'JoinDate desc', 'Rank', 'ksort'].map(
    (order): [readonly string[], Settings] => [['2'], { LEGACY_ORDER: order }],
  ),
  [two, { LEGACY_ORDER: 'ksort', LEGACY_KEYS: 'stored' }],
  // The names are ids then.
  [two, { LEGACY_ORDER: 'ksort', LEGACY_KEYS: 'id' }, { LEGACY_ORDER: 'id' }],
  // Five are enough to be sure.
  [two, { LEGACY_ORDER: 'Rank', LEGACY_MAX_VALUES: '5' }],
  ...['asked', 'id desc', 'Title', 'Category desc'].map((order): [readonly string[], Settings] => [
    two,
    { LEGACY_ORDER: 'DisplayName', LEGACY_APPS_ORDER: order },
  ]),
  // Of two that explain all that is seen, the plainer.
  [two, { LEGACY_APPS_ORDER: 'Title general_ci' }, { LEGACY_APPS_ORDER: 'Title' }],
  [two, { LEGACY_ORDER: 'id desc' }],
  // The later they joined, the larger is the id, of those that may be seen.
  [
    two,
    { LEGACY_ORDER: 'JoinDate', LEGACY_MAX_VALUES: '3', LEGACY_UNKNOWN: 'refuse' },
    { LEGACY_ORDER: 'id' },
  ],
  [two, { LEGACY_EMPTY_VALUES: 'keep' }],
  [two, { LEGACY_EMPTY_VALUES: 'keep', LEGACY_MALFORMED: 'unknown', LEGACY_UNKNOWN: 'null' }],
  [
    two,
    { LEGACY_EMPTY_VALUES: 'keep', LEGACY_UNKNOWN: 'refuse', LEGACY_MALFORMED: 'unknown' },
    { LEGACY_MALFORMED: 'reject' },
  ],
  [two, { LEGACY_EMPTY_VALUES: 'drop', LEGACY_UNKNOWN: 'null' }],
  [['2'], { LEGACY_ORDER: 'name' }],
  [['2'], { LEGACY_ORDER: 'name', LEGACY_UNKNOWN: 'refuse' }],
  [['12', '2'], { LEGACY_ORDER: 'name', LEGACY_KEYS: 'stored' }],
  [['12', '2'], {}],
  // Nobody else has an id near.
  [['9007199254740991'], { LEGACY_ORDER: 'id' }],
  [['9007199254740991'], { LEGACY_ORDER: 'id', LEGACY_UNKNOWN: 'refuse' }],
  [['9007199254740991'], { LEGACY_UNKNOWN: 'refuse' }],
  [['2', '1'], { LEGACY_ORDER: 'id', LEGACY_KEYS: 'id' }],
  [two, { LEGACY_TOO_MANY: 'cut' }],
  [two, { LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '37' }],
  [two, { LEGACY_MAX_VALUES: '37', LEGACY_DUPLICATES: 'each' }],
  ...['exact', 'canonical', 'php', 'numeric', 'digits'].map((ids): [readonly string[], Settings] => [
    two,
    { LEGACY_MAX_VALUES: '1', LEGACY_LOOSE_IDS: ids },
  ]),
  [two, { LEGACY_MAX_VALUES: '1', LEGACY_LIST: 'colon-comma-trimmed', LEGACY_KEYS: 'stored' }],
  [two, { LEGACY_MAX_VALUES: '1', LEGACY_DUPLICATES: 'each', LEGACY_LIST: 'colon-comma' }],
  // There is no order of one.
  [two, { LEGACY_MAX_VALUES: '1', LEGACY_ORDER: 'id' }, { LEGACY_ORDER: 'asked' }],
])('of users %j, %j', async ([users, settings, told = {}]) => {
  const { advice, sent } = await tell(settings, users)
  expect(advice).toMatchObject({ ...byDefault, ...settings, ...told })
  expect(sent).toBeLessThan(72)
})

test.for(['lower', 'lower,chat=asked', 'lower,chat=id', 'asked,chat=lower'])(
  'of a chat identifier with capitals, names are %s',
  async (names) => {
    const { path, remove } = temporaryFolder()
    onTestFinished(remove)
    const users = join(path, 'users.jsonl')
    writeFileSync(users, readFileSync(sample.users, 'utf8').replace('chat-1001', 'Chat-1001'))
    const { advice } = await tell({ LEGACY_KEYS: names }, two, {
      chat: 'Chat-1001',
      data: { ...sample, users },
    })
    expect(advice.LEGACY_KEYS).toBe(names)
  },
)

test('names that are the same in XML are told once', async () => {
  const { advice } = await tell({ LEGACY_KEYS: 'stored', LEGACY_KEYS_XML: 'stored' }, two)
  expect(advice.LEGACY_KEYS).toBe('stored')
  expect(advice.LEGACY_KEYS_XML).toBeUndefined()
})

test('a service that refuses each list with an unknown id, in other words for several, has no list limit', async () => {
  const { url, close } = await startAnswering((request, response) => {
    const ids = (new URL(request.url ?? '', 'http://a').searchParams.get('Users') ?? '').split(':')
    const missing = ids.filter((id) => !['1', '2'].includes(id))
    const isTooLong = ids.length > 100
    response.statusCode = isTooLong ? 400 : missing.length > 0 ? 404 : 200
    const error = missing.length > 1 ? { error: 'not all found', missing } : { error: 'not found', missing }
    const entries = Object.fromEntries(ids.map((id) => [id, userOf(id)]))
    const refused = isTooLong ? { error: 'at most 100' } : error
    response.end(JSON.stringify(response.statusCode === 200 ? entries : refused, null, 2))
  })
  onTestFinished(close)
  const call = createCall({ url, headers: {} }, { timeout: 10_000, connections: 1 })
  const unhurried = async () => {}
  const { ask } = createAsk(call, unhurried, new AbortController().signal, () => {})
  expect(await findListLimit(ask, two)).toMatchObject({ most: 100, beyond: 'refused' })
  expect(await findListLimit(ask, ['1'])).toMatchObject({ beyond: 'refused' })
})

test.each<Settings>([
  // Of four users, any order is that of some field by chance.
  { LEGACY_ORDER: 'Rank', LEGACY_MAX_VALUES: '4' },
])('the order of %j is not told', async (settings) => {
  expect((await tell(settings, ['2', '3'])).advice.LEGACY_ORDER).toBeUndefined()
})

test.each<Settings>([
  { LEGACY_ORDER: 'DisplayName', LEGACY_APPS_ORDER: 'id' },
  { LEGACY_ORDER: 'id desc', LEGACY_APPS_ORDER: 'id desc' },
  { LEGACY_ORDER: 'ksort' },
  {},
])('of %j, nothing is to be said of apps', async (settings) => {
  expect((await tell(settings, two)).advice.LEGACY_APPS_ORDER).toBeUndefined()
})
