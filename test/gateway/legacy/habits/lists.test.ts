// Habits of reading lists and arranging entries, one by one, over a real socket and in both formats.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Explanation } from '../../../../src/gateway/legacy/explanation.ts'
import { startGateway } from '../../../kit/gateway.ts'
import { ask, inFormat } from '../support/ask.ts'
import { refusalIn, usersIn } from '../support/reply.ts'

type Settings = Readonly<Record<string, string>>

async function started(settings: Settings) {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  return gateway
}

const byId = 'Event=ProfileLookup&Users='
const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
const byChat = 'Event=ProfileLookup&MethodOfAccessingUserInformation=chat&Users='
const shown = { LEGACY_UNKNOWN: 'null' }
const lenient = { ...shown, LEGACY_MALFORMED: 'unknown' }

const trimmed = { LEGACY_LIST: 'colon-trimmed' }
const commas = { LEGACY_LIST: 'colon-comma' }
const both = { LEGACY_LIST: 'colon-comma-trimmed' }
const ids = (value: string, beside: Settings = lenient) => ({ ...beside, LEGACY_LOOSE_IDS: value })
const keysXml = { LEGACY_KEYS: 'id', LEGACY_KEYS_XML: 'stored' }
const keys = (value: string, beside: Settings = shown) => ({ ...beside, LEGACY_KEYS: value })
const dropping = { ...shown, LEGACY_MALFORMED: 'drop' }
const kept = { ...lenient, LEGACY_EMPTY_VALUES: 'keep' }
const byNames = { ...shown, LEGACY_ORDER: 'name' }
const inOrder = { ...shown, LEGACY_ORDER: 'id' }

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test.for<[settings: Settings, query: string, answer: string]>([
    [trimmed, `${byName}+Ada:%09mallory%0d%0a:+:%0b`, 'Ada → 1, mallory → 3'],
    [trimmed, `${byName}Ada%0c:%c2%a0Ada:two+words`, 'two words → 12'],
    [commas, `${byName}Ada,mallory:newcomer,,`, 'Ada → 1, mallory → 3, newcomer → 4'],
    [commas, `${byName}Ada,+mallory`, 'Ada → 1'],
    [both, `${byName}Ada,+mallory+,Ada`, 'Ada → 1, mallory → 3'],
    [both, `${byChat}chat-1001+,chat-1002`, 'chat-1001 → 1, chat-1002 → 2'],
    [ids('digits'), `${byId}007:2abc`, '007 → 7, 2abc → null'],
    [ids('exact'), `${byId}007:7:2abc`, '007 → null, 7 → 7, 2abc → null'],
    [ids('canonical'), `${byId}007:7`, '007 → null, 7 → 7'],
    [ids('exact', shown), `${byId}007:7`, '007 → null, 7 → 7'],
    [
      ids('php'),
      `${byId}007:2abc:+3:4.9:%2b5:6e0:abc:0x1:-1`,
      '007 → 7, 2abc → 2,  3 → 3, 4.9 → 4, +5 → 5, 6e0 → 6, abc → null, 0x1 → null, -1 → null',
    ],
    [ids('php', shown), `${byId}2abc:9007199254740993`, '2abc → 2, 9007199254740993 → null'],
    [
      ids('numeric', shown),
      `${byId}007:+3:4.9:5+:0:-1`,
      '007 → 7,  3 → 3, 4.9 → 4, 5  → 5, 0 → null, -1 → null',
    ],
    [ids('numeric'), `${byId}2abc:2`, '2abc → null, 2 → 2'],
    [
      { ...shown, LEGACY_USERNAMES: 'exact' },
      `${byName}ada:Ada:SØREN:søren`,
      'ada → null, Ada → 1, SØREN → null, søren → 2',
    ],
    [{ LEGACY_USERNAMES: 'exact' }, `${byChat}chat-1001`, 'chat-1001 → 1'],
    [
      { ...shown, LEGACY_USERNAMES: 'trailing-blanks' },
      `${byName}ada+:Ada++:+Ada:+`,
      'ada  → 1, Ada   → 1,  Ada → null,   → null',
    ],
    [{ LEGACY_USERNAMES: 'trailing-blanks' }, `${byName}Ada${'+'.repeat(300)}`, `Ada${' '.repeat(300)} → 1`],
    [kept, `${byId}1::2`, '1 → 1,  → null, 2 → 2'],
    [kept, `${byId}:`, ' → null'],
    [kept, `${byName}Ada:`, 'Ada → 1,  → null'],
    [kept, `${byChat}:chat-1001`, ' → null, chat-1001 → 1'],
    [{ ...kept, LEGACY_NO_VALUES: 'empty' }, 'Event=ProfileLookup', ' → null'],
    [{ ...kept, LEGACY_NO_VALUES: 'refuse-missing' }, byName, ' → null'],
    [keys('lower'), `${byName}ADA:Nobody:SØREN`, 'ada → 1, nobody → null, sØren → 2'],
    [keys('lower'), `${byName}Ada:ADA`, 'ada → 1'],
    [keys('lower'), `${byChat}CHAT-1`, 'chat-1 → null'],
    [keys('read'), `${byId}007:7:099:99`, '7 → 7, 99 → null'],
    [keys('read'), `${byName}ADA:Nobody`, 'ADA → 1, Nobody → null'],
    [keys('stored'), `${byName}ADA:ada:Nobody:nobody`, 'Ada → 1, Nobody → null, nobody → null'],
    [keys('stored'), `${byId}007`, '7 → 7'],
    [keys('stored'), `${byChat}chat-1001`, 'chat-1001 → 1'],
    [keys('id'), `${byName}ADA:søren:Ada:Nobody`, '1 → 1, 2 → 2, Nobody → null'],
    [keys('id'), `${byChat}chat-1002:chat-9`, '2 → 2, chat-9 → null'],
    [keys('read,chat=id'), `${byChat}chat-1002:chat-9`, '2 → 2, chat-9 → null'],
    [keys('read,chat=id'), `${byName}ADA`, 'ADA → 1'],
    [keys('read,chat=id'), `${byId}007`, '7 → 7'],
    [keys('id,chat=asked'), `${byChat}chat-1002`, 'chat-1002 → 2'],
    [keys('stored,id=asked'), `${byId}007:7`, '007 → 7, 7 → 7'],
    // A username that is the number of somebody else: what is found is what counts.
    [keys('id'), `${byName}11:Ada:1234`, '1 → 1, 11 → 11'],
    [keys('id', { ...lenient, LEGACY_LOOSE_IDS: 'php' }), `${byId}1abc:1:x:y`, '1 → 1, 0 → null'],
    [
      inOrder,
      `${byId}12:99:9007199254740991:3:98:7`,
      '3 → 3, 7 → 7, 12 → 12, 9007199254740991 → 9007199254740991, 99 → null, 98 → null',
    ],
    [byNames, `${byId}7:99:12:3`, '12 → 12, 3 → 3, 7 → 7, 99 → null'],
    [byNames, `${byName}mallory:%f0%9f%98%80:%ef%bd%81:ADA`, 'ADA → 1, mallory → 3, ａ → null, 😀 → null'],
    [inOrder, `${byName}mallory:ADA:ada`, 'ADA → 1, ada → 1, mallory → 3'],
    [{ ...shown, LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '2' }, `${byId}3:3:99:1`, '3 → 3, 99 → null'],
  ])('%j: %s', async ([settings, query, answer]) => {
    const { url } = await started(settings)
    expect(usersIn(await ask(url, inFormat(query, format)), format).join(', ')).toBe(answer)
  })

  test.for<[settings: Settings, query: string, code: string]>([
    [ids('canonical', {}), `${byId}007`, 'MalformedIdentifier'],
    [ids('numeric', {}), `${byId}1:2abc`, 'MalformedIdentifier'],
    [ids('php', {}), `${byId}1:abc`, 'MalformedIdentifier'],
    [ids('php', {}), `${byId}1:-2`, 'MalformedIdentifier'],
    [{ LEGACY_EMPTY_VALUES: 'keep' }, `${byId}1::2`, 'MalformedIdentifier'],
    [kept, byId, 'MissingParameter'],
    [kept, 'Event=ProfileLookup', 'MissingParameter'],
    [trimmed, `${byId}+:++`, 'MissingParameter'],
    [commas, `${byId},:,`, 'MissingParameter'],
    [{ LEGACY_DUPLICATES: 'each', LEGACY_MAX_VALUES: '2' }, `${byId}1:1:1`, 'TooManyValues'],
  ])('%j: %s is refused', async ([settings, query, code]) => {
    const { url } = await started(settings)
    expect(refusalIn(await ask(url, inFormat(query, format)), format).code).toBe(code)
  })

  test('apps are named and ordered by the ids that were read', async () => {
    const { url } = await started({ ...ids('php'), LEGACY_KEYS: 'id', LEGACY_ORDER: 'id' })
    const { body } = await ask(url, inFormat('Event=AppLookup&Apps=x:70000:3.5:2abc', format))
    const names = body.match(format === 'XML' ? /(?<=Value=")[^"]*/g : /"[^"]*"(?=:(?:\{|null))/g)
    expect(names?.map((name) => name.replaceAll('"', ''))).toEqual(['2', '3', '70000', '0'])
  })

  test('LEGACY_DUPLICATES=each gives each value its element in XML', async () => {
    const { url } = await started({ ...shown, LEGACY_DUPLICATES: 'each', LEGACY_KEYS: 'stored' })
    const once = ['Ada → 1', 'Nobody → null']
    const each = ['Ada → 1', 'Nobody → null', 'Ada → 1', 'Ada → 1', 'Nobody → null']
    const reply = await ask(url, inFormat(`${byName}ADA:Nobody:ADA:ada:Nobody`, format))
    expect(usersIn(reply, format)).toEqual(format === 'XML' ? each : once)
  })
})

describe('the longest answer with duplicates', () => {
  const list = Array(32_000).fill('1').join(':')

  test('has no more entries than a list may have values', async () => {
    const { url } = await started({ LEGACY_DUPLICATES: 'each' })
    expect(refusalIn(await ask(url, `/?${byId}${list}&Format=XML`), 'XML').code).toBe('TooManyValues')
  })

  test.each([
    ['1000', 200_000],
    ['10000', 2_000_000],
  ])('of %s, where longer ones are cut, is below %i bytes', async (most, bytes) => {
    const { url } = await started({
      LEGACY_DUPLICATES: 'each',
      LEGACY_MAX_VALUES: most,
      LEGACY_TOO_MANY: 'cut',
    })
    const reply = await ask(url, `/?${byId}${list}&Format=XML`)
    expect(usersIn(reply, 'XML')).toHaveLength(Number(most))
    expect(reply.body.length).toBeLessThan(bytes)
    expect(usersIn(await ask(url, `/?${byId}${list}`), 'JSON')).toEqual(['1 → 1'])
  })
})

test.each<[Settings, string]>([
  [{ LEGACY_LOOSE_IDS: 'php', LEGACY_MALFORMED: 'unknown' }, `${byId}${'0'.repeat(64_000)}1`],
  [{ LEGACY_LOOSE_IDS: 'numeric', LEGACY_MALFORMED: 'unknown' }, `${byId}${'+'.repeat(64_000)}x`],
  [
    { LEGACY_LOOSE_IDS: 'php', LEGACY_MALFORMED: 'unknown' },
    `${byId}${Array(8000).fill('9'.repeat(7)).join(':')}`,
  ],
  [{ LEGACY_LIST: 'colon-comma-trimmed' }, `${byName}a${'+'.repeat(64_000)}b`],
  [{ LEGACY_LIST: 'colon-comma-trimmed' }, `${byName}${'+,'.repeat(32_000)}b`],
  [{ LEGACY_USERNAMES: 'trailing-blanks' }, `${byName}${'a+:'.repeat(21_000)}`],
  [
    { LEGACY_KEYS: 'id', LEGACY_ORDER: 'id', LEGACY_DUPLICATES: 'each', LEGACY_TOO_MANY: 'cut' },
    `${byId}${'1:'.repeat(32_000)}`,
  ],
])('%j: a hostile list takes no longer than a long one', async (settings, query) => {
  const { url } = await started(settings)
  await ask(url, `/?${byId}1`)
  const begun = performance.now()
  expect((await ask(url, `/?${query}`)).status).toBe(200)
  expect(performance.now() - begun).toBeLessThan(1000)
})

describe('/explain', () => {
  async function explain(settings: Settings, query: string): Promise<Explanation> {
    const { url } = await started(settings)
    return JSON.parse((await ask(url, `/explain?${query}`)).body)
  }

  test.for<[settings: Settings, query: string, values: string[], asked: string[], missing: string[]]>([
    [ids('php'), `${byId}1abc:1:abc:2`, ['1abc', '1', 'abc', '2'], ['1', '2'], ['abc']],
    [ids('exact'), `${byId}007:7`, ['007', '7'], ['7'], ['007']],
    [keys('id'), `${byId}07:7:99`, ['07', '7', '99'], ['07', '7', '99'], ['99']],
    [inOrder, `${byId}3:99:1`, ['3', '99', '1'], ['3', '99', '1'], ['99']],
    [{ LEGACY_DUPLICATES: 'each' }, `${byId}1:99:1`, ['1', '99', '1'], ['1', '99'], ['99']],
    [{ LEGACY_USERNAMES: 'exact' }, `${byName}ada:Ada`, ['ada', 'Ada'], ['ada', 'Ada'], ['ada']],
    [{ LEGACY_USERNAMES: 'trailing-blanks' }, `${byName}Ada+:+`, ['Ada ', ' '], ['Ada'], [' ']],
    [both, `${byName}Ada+,+x`, ['Ada', 'x'], ['Ada', 'x'], ['x']],
    // Nothing is asked where nothing can match.
    [ids('php'), `${byId}abc`, ['abc'], [], ['abc']],
  ])('%j: %s', async ([settings, query, values, asked, missing]) => {
    const explained = await explain(settings, query)
    expect(explained).toMatchObject({ request: { values }, answer: { status: 200, missing } })
    expect(explained.answer.found).toBe(values.length - missing.length)
    expect(explained.operation?.variables.values).toEqual(asked)
  })

  test.for<[settings: Settings, query: string, setting: string, effect: string | undefined]>([
    [commas, `${byId}1,2`, 'LEGACY_LIST', 'Commas separate values.'],
    [commas, `${byId}1:2`, 'LEGACY_LIST', undefined],
    [both, `${byId}1,+2`, 'LEGACY_LIST', 'Commas separate values, and blanks around them are dropped.'],
    [both, `${byId}1:+2`, 'LEGACY_LIST', 'Blanks around values are dropped.'],
    [{}, `${byName}Ada,+x`, 'LEGACY_LIST', undefined],
    [
      ids('php'),
      `${byId}1abc`,
      'LEGACY_LOOSE_IDS',
      "Numeric identifiers are read as PHP's cast to int reads them.",
    ],
    [ids('php'), `${byId}007:abc`, 'LEGACY_LOOSE_IDS', undefined],
    [
      ids('numeric'),
      `${byId}1.0`,
      'LEGACY_LOOSE_IDS',
      "Numeric identifiers are what PHP's is_numeric accepts, cast to int.",
    ],
    [
      ids('exact'),
      `${byId}007`,
      'LEGACY_LOOSE_IDS',
      'A numeric identifier with leading zeros matches nothing.',
    ],
    [ids('exact'), `${byId}007`, 'LEGACY_MALFORMED', undefined],
    [
      ids('canonical'),
      `${byId}007`,
      'LEGACY_LOOSE_IDS',
      'A numeric identifier with leading zeros is malformed.',
    ],
    [ids('canonical'), `${byId}007`, 'LEGACY_MALFORMED', 'A malformed identifier matches nothing.'],
    [ids('php'), `${byId}abc`, 'LEGACY_MALFORMED', undefined],
    [dropping, `${byId}1:abc`, 'LEGACY_MALFORMED', 'A malformed identifier is dropped.'],
    [dropping, `${byId}1:2`, 'LEGACY_MALFORMED', undefined],
    [dropping, `${byName}Ada:abc`, 'LEGACY_MALFORMED', undefined],
    [ids('php'), `${byName}1abc`, 'LEGACY_LOOSE_IDS', undefined],
    [
      { LEGACY_USERNAMES: 'exact' },
      `${byName}ada`,
      'LEGACY_USERNAMES',
      'Usernames match in the same spelling only.',
    ],
    [{ LEGACY_USERNAMES: 'exact' }, `${byName}Ada`, 'LEGACY_USERNAMES', undefined],
    [
      { LEGACY_USERNAMES: 'trailing-blanks' },
      `${byName}Ada+`,
      'LEGACY_USERNAMES',
      'Trailing blanks of usernames do not count.',
    ],
    [keys('read'), `${byId}07`, 'LEGACY_KEYS', 'Entries are named by the ids that were read.'],
    [kept, `${byId}1::2`, 'LEGACY_EMPTY_VALUES', 'An empty value counts as one.'],
    [kept, `${byId}1`, 'LEGACY_EMPTY_VALUES', undefined],
    [keys('lower'), `${byName}ADA`, 'LEGACY_KEYS', 'Entries are named by what was asked for in lower case.'],
    [keys('stored'), `${byName}ADA`, 'LEGACY_KEYS', 'Entries are named by what is stored.'],
    [keys('id'), `${byName}Ada`, 'LEGACY_KEYS', 'Entries are named by id.'],
    [keys('asked,chat=id'), `${byChat}chat-1001`, 'LEGACY_KEYS', 'Entries are named by id.'],
    [keys('id,chat=asked'), `${byChat}chat-1001`, 'LEGACY_KEYS', undefined],
    [keys('id'), `${byId}1`, 'LEGACY_KEYS', undefined],
    [keys('username'), `${byId}1`, 'LEGACY_KEYS', 'Entries are named by username.'],
    [keys('username'), `${byChat}chat-1001`, 'LEGACY_KEYS', 'Entries are named by username.'],
    [keys('username'), 'Event=AppLookup&Apps=1', 'LEGACY_KEYS', undefined],
    [keysXml, `${byName}ADA&Format=XML`, 'LEGACY_KEYS_XML', 'Entries are named by what is stored.'],
    [keysXml, `${byName}ADA&Format=XML`, 'LEGACY_KEYS', undefined],
    [keysXml, `${byName}ADA`, 'LEGACY_KEYS', 'Entries are named by id.'],
    [keysXml, `${byName}ADA`, 'LEGACY_KEYS_XML', undefined],
    [inOrder, `${byId}2:1`, 'LEGACY_ORDER', 'Entries are in the order of their ids.'],
    [byNames, `${byId}2:1`, 'LEGACY_ORDER', 'Entries are in the order of their names.'],
    [inOrder, `${byId}2:99`, 'LEGACY_ORDER', undefined],
    [
      { LEGACY_DUPLICATES: 'each' },
      `${byId}1:1&Format=XML`,
      'LEGACY_DUPLICATES',
      'A value that is given more than once is answered each time.',
    ],
    [{ LEGACY_DUPLICATES: 'each' }, `${byId}1:1`, 'LEGACY_DUPLICATES', undefined],
    [
      { LEGACY_DUPLICATES: 'each', LEGACY_MAX_VALUES: '1' },
      `${byId}1:1`,
      'LEGACY_DUPLICATES',
      'A value counts as often as it is given.',
    ],
    [
      { LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '1' },
      `${byId}1:2`,
      'LEGACY_TOO_MANY',
      'The values beyond LEGACY_MAX_VALUES are left out.',
    ],
    [{ LEGACY_TOO_MANY: 'cut', LEGACY_MAX_VALUES: '1' }, `${byId}1:1`, 'LEGACY_TOO_MANY', undefined],
  ])('%j: %s says of %s: %s', async ([settings, query, setting, effect]) => {
    const { dialect } = await explain(settings, query)
    expect(dialect.find((one) => one.setting === setting)?.effect).toBe(effect)
  })
})
