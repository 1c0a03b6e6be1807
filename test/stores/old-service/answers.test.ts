// What an old service answers, and what that says of the values that it was asked for.

import { describe, expect, test } from 'vitest'
import { caseData } from '../../gateway/legacy/support/cases.ts'
import { userOf } from '../../kit/answering.ts'
import type { Switches } from '../../kit/old-service.ts'
import { openOverOld, type Settings, serveAnswers, startOld } from './support.ts'

describe('an old service', () => {
  test('has whole users and apps', async () => {
    const { store, find } = openOverOld((await startOld()).url)
    const ada = {
      id: 1,
      username: 'Ada',
      displayName: 'Ada of the Hill',
      joinDate: 1199145600,
      isConfirmed: true,
    }
    const mallory = { id: 3, username: 'mallory', banned: true }
    expect(await store.findUsers('ID', ['3', '99', '1'])).toMatchObject([mallory, null, ada])
    const paint = { id: 2, title: 'Paint & Paper', downloadLink: expect.stringMatching(/\/2\/$/) }
    expect(await store.findApps(['2', '99'])).toMatchObject([paint, null])
    expect(await find('ID')).toEqual([])
    await store.ready()
  })

  const talk = { LEGACY_CHAT_METHOD: 'talk' }
  const numeric = { LEGACY_JSON_FLAGS: 'numeric-check' }
  type By = 'ID' | 'USERNAME' | 'CHAT' | 'APP'
  type Expected = string | readonly (number | string | null)[]
  test.for<[what: string, Switches, By, values: readonly string[], Expected, Settings?]>([
    ['is asked for values twice', {}, 'ID', ['3', '99', '1', '3'], [3, null, 1, 3]],
    ['has null for unknown values', { unknown: 'null' }, 'ID', ['1', '99'], [1, null]],
    ['has nothing but null', { unknown: 'null' }, 'ID', ['99'], [null]],
    ['has an empty list for unknown values', { unknown: 'list' }, 'ID', ['1', '99'], [1, null]],
    // An error may mean anything.
    ['refuses an unknown value', { unknown: 'error' }, 'ID', ['1', '99', '3'], [1, 'Unavailable', 3]],
    ['refuses it, status 200', { unknown: 'error', errorStatus: '200' }, 'ID', ['99'], 'Unavailable'],
    ['heeds case', { caseSensitive: true }, 'USERNAME', ['Ada', 'ada', 'søren'], [1, null, 2]],
    ['ignores case', {}, 'USERNAME', ['ADA', 'aDa'], [1, 1]],
    ['has its own chat method', { chatMethod: 'talk' }, 'CHAT', ['chat-1001', 'x'], [1, null], talk],
    [
      'cannot be asked so',
      {},
      'USERNAME',
      ['\ud800', 'a\0', '', `<b>#+?&'"`, 'Ada'],
      [null, null, null, null, 1],
    ],
    ['has its own name', { serviceName: 'Acme' }, 'APP', ['1'], [1], { LEGACY_SERVICE_NAME: 'Acme' }],
    ['has a name that is not set', { serviceName: 'Acme' }, 'APP', ['1'], 'Unavailable'],
    [
      'takes short lists',
      { maxValues: 3 },
      'ID',
      ['1', '2', '3', '4'],
      [1, 2, 3, 4],
      { DATABASE_MAX_VALUES: '3' },
    ],
    ['takes shorter lists than set', { maxValues: 3 }, 'ID', ['1', '2', '3', '4'], [1, 2, 3, 4]],
    ['is behind a firewall', { blocked: '<' }, 'USERNAME', ['ada', '<b>', 'x'], [1, 'Unavailable', null]],
    ['has a row that is not UTF-8', { broken: 2 }, 'ID', ['1', '2', '3'], [1, 'Unavailable', 3]],
    ['compresses everything', { gzip: true }, 'ID', ['3', '99'], [3, null]],
    [
      'checks for numbers',
      { numericCheck: true },
      'USERNAME',
      ['9', '10', '007', 'x'],
      [9, 8, 11, null],
      numeric,
    ],
    ['checks for numbers, which is not set', { numericCheck: true }, 'ID', ['1', '8'], [1, 'Unavailable']],
  ])('%s', async ([, switches, by, values, expected, settings]) => {
    const data = switches.numericCheck ? { data: caseData } : {}
    const { find } = openOverOld((await startOld(switches, data)).url, settings)
    expect(await find(by, ...values)).toEqual(expected)
  })

  test.for<[string, Switches]>([
    ['fails', { failing: true }],
    ['hangs up half-way', { cutting: true }],
  ])('that %s is an outage, until it is back', async ([, switches]) => {
    const old = await startOld(switches)
    const { store, find, types } = openOverOld(old.url)
    expect(await find('ID', '1')).toBe('Unavailable')
    await expect(async () => store.ready()).rejects.toMatchObject({ code: 'Unavailable' })
    expect(types()).toEqual(['store-failed', 'store-failed'])
    old.switchTo({})
    await store.ready()
  })
})

const user = { ...userOf('1'), Username: 'Ada' }
const one = (changed: object) => JSON.stringify({ 1: { ...user, ...changed } })

describe('of user 1', () => {
  test.for<[string, string | Buffer, object?]>([
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['null', '{"1":null}'],
    ['an empty list in its place', '{"1":[]}'],
    ['an empty object in its place', '{"1":{}}'],
    ['false', '{"1":false}'],
    ['an empty text', '{"1":""}'],
    ['nothing but null', JSON.stringify({ 1: { Id: null, Username: null, Rank: null } })],
    ['empty texts', JSON.stringify({ 1: { Id: '', Username: '', Rank: null } })],
    ["nothing as PHP's casts have it", JSON.stringify({ 1: { ...user, Id: 0, Username: 'Guest' } })],
    ['the id 0 as a text', JSON.stringify({ 1: { ...user, Id: '0' } })],
    ['an error', '{"1":{"Error":"No such user"}}'],
    ['an error with a code', '{"1":{"error":{"code":7,"message":"No such user"}}}'],
  ])('%s says that there is none', async ([, body]) => {
    const { url } = await serveAnswers(() => body)
    expect(await openOverOld(url).find('ID', '1')).toEqual([null])
  })

  test.for<[string, object, object?]>([
    [
      'numbers as texts',
      { Id: '1', Rank: '-5', JoinDate: '9007199254740991' },
      { rank: -5, joinDate: 2 ** 53 - 1 },
    ],
    ['booleans as numbers', { IsConfirmed: 1, Banned: 0 }],
    ['booleans as digits', { IsConfirmed: '1', Banned: '0' }],
    ["booleans as PHP's cast has them", { IsConfirmed: '1', Banned: '' }],
    ['booleans as words', { IsConfirmed: 'true', Banned: 'false' }],
    ['a text that is null', { DisplayName: null }, { displayName: '' }],
  ])('%s are read', async ([, changed, expected]) => {
    const { url } = await serveAnswers(() => one(changed))
    const { store } = openOverOld(url)
    expect(await store.findUsers('ID', ['1'])).toMatchObject([
      { id: 1, isConfirmed: true, banned: false, ...expected },
    ])
  })

  test.for<[string, string | Buffer, status?: number, headers?: Settings]>([
    ['nothing', ''],
    ['half of it', one({}).slice(0, 40)],
    ['a page', '<html>maintenance</html>'],
    ['null alone', 'null'],
    ['a list', '[1]'],
    ['a number', '{"1":1}'],
    ['an error for all', '{"error":"Nothing found"}'],
    ['a missing field', one({ Rank: undefined })],
    ['a number with blanks as text', one({ Rank: ' 1' })],
    ['a fraction as text', one({ Rank: '1.0' })],
    ['a number as text that is rounded', one({ JoinDate: '9007199254740993' })],
    ['a fraction', one({ Rank: 1.5 })],
    ['a number that is rounded', one({}).replace('"JoinDate":0', '"JoinDate":9007199254740993')],
    ['a text as a number', one({ Username: 1 })],
    ['a boolean as another number', one({ Banned: 2 })],
    ['a boolean as a word', one({ Banned: 'no' })],
    ['a number that is null', one({ Rank: null })],
    ['a boolean that is null', one({ Banned: null })],
    ['a user without a name', one({ Username: null })],
    ['another user', one({ Id: 2 })],
    ['a user who was not asked for', JSON.stringify({ 2: { ...user, Id: 2 } })],
    ['an error without a text', '{"error":{"code":7}}'],
    ['nobody who was not asked for', '{"2":null}'],
    ['broken UTF-8', Buffer.from(one({ DisplayName: 'é' }), 'latin1')],
    ['more than is read', `{"1":"${'x'.repeat(9 * 1024 * 1024)}"}`],
    ['a redirection', '', 302, { Location: '/elsewhere' }],
    ['not found', '{}', 404],
    ['an outage', '{}', 503],
  ])('%s is an outage', async ([, body, status = 200, headers = {}]) => {
    const { url, asked } = await serveAnswers((_, response) => {
      response.writeHead(status, headers)
      return body
    })
    const { find, types } = openOverOld(url)
    expect(await find('ID', '1')).toBe('Unavailable')
    expect(types()).toEqual(['store-failed'])
    expect(asked).toHaveLength(1)
  })

  test('no connection is an outage', async () => {
    expect(await openOverOld('http://127.0.0.1:1/').find('ID', '1')).toBe('Unavailable')
  })
})

test('an app of nothing is none', async () => {
  const app = { Title: null, Version: '', Category: 0, ChangelogLink: null, ServiceDownloadLink: '' }
  const { url } = await serveAnswers(() => ({ 1: app }))
  expect(await openOverOld(url).find('APP', '1')).toEqual([null])
})

// PHP makes a list of the keys 0 and 1, or of all.
test.for([
  ['[null]', ['0'], [null]],
  [JSON.stringify([null, user]), ['0', '1'], [null, 1]],
  [JSON.stringify([{ ...user, Id: 2 }, user]), ['1', '2'], [1, 2]],
] as const)('a list in place of an object is read: %s', async ([body, ids, expected]) => {
  const { url } = await serveAnswers(() => body)
  expect(await openOverOld(url).find('ID', ...ids)).toEqual(expected)
})

test('one bad entry fails alone, in one call, and the log has its id', async () => {
  const { url, asked } = await serveAnswers(() => ({
    1: user,
    2: { ...userOf('2'), Rank: 'secret' },
    3: 7,
    4: { a: 1 },
  }))
  const { find, observations } = openOverOld(url)
  const bad = 'Unavailable'
  expect(await find('ID', '1', '2', '3', '4', '5')).toEqual([1, bad, bad, bad, null])
  expect(asked).toHaveLength(1)
  const message = 'the old service answers with Rank a string, expected an integer (id 2)'
  expect(observations).toMatchObject([{ type: 'store-failed', error: { message } }])
})

const escaped = '&quot;Salt&quot; &amp; &lt;Pepper&gt; &#039;n &amp;amp; &amp;lt; é'
test.for([
  ['none', 'salt&amp;pepper', escaped],
  ['html', 'salt&pepper', '"Salt" & <Pepper> \'n &amp; &lt; é'],
  ['compat-json', 'salt&pepper', '"Salt" & <Pepper> \'n &amp; &lt; é'],
])(
  'with LEGACY_TEXT_ESCAPES=%s texts for HTML are read once',
  async ([words = '', username, displayName]) => {
    const entry = { ...user, Username: 'salt&amp;pepper', DisplayName: escaped }
    const { url } = await serveAnswers(() => ({ 'salt&pepper': entry }))
    const { store } = openOverOld(url, { LEGACY_TEXT_ESCAPES: words })
    expect(await store.findUsers('USERNAME', ['salt&pepper'])).toMatchObject([{ username, displayName }])
  },
)

test.for<[written: string, text: string]>([
  ['2077', '2077'],
  // Longer than what a double holds.
  ['9223372036854775807', '9223372036854775807'],
  ['9007199254740993', '9007199254740993'],
  ['1.2345678901234567e+19', '1.2345678901234567e+19'],
  ['3.14', '3.14'],
  ['-0', '-0.0'],
])('with LEGACY_JSON_FLAGS=numeric-check the text %s is read as %s', async ([written, text]) => {
  const { url } = await serveAnswers(() => one({ DisplayName: 'HERE' }).replace('"HERE"', written))
  const { store } = openOverOld(url, { LEGACY_JSON_FLAGS: 'numeric-check' })
  expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1, displayName: text }])
})

test.for<[Settings, object, status?: number]>([
  [
    { LEGACY_UNKNOWN: '{"none":{"of":7,"who":"{message}"}}', LEGACY_UNKNOWN_TEXT: '{value}' },
    { 1: user, 99: { none: { of: 7, who: 99 } } },
  ],
  [
    { LEGACY_UNKNOWN: 'error', LEGACY_UNKNOWN_TEXT: '404' },
    { 1: user, 99: { Error: 404 } },
  ],
  [
    { LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: '404', LEGACY_UNKNOWN_STATUS: '404' },
    { Error: { Code: 1, Message: 404 } },
    404,
  ],
])('and what stands for nothing may be a number: %j', async ([settings, body, status = 200]) => {
  const { url } = await serveAnswers((_, response) => {
    response.statusCode = status
    return body
  })
  const { find } = openOverOld(url, { LEGACY_JSON_FLAGS: 'numeric-check', ...settings })
  const ids = status === 200 ? ['1', '99'] : ['99']
  expect(await find('ID', ...ids)).toEqual(ids.map((id) => (id === '1' ? 1 : null)))
})
