// Responses of old services, and what each means for the values of the call.

import { describe, expect, test } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import type { Switches } from '../../kit/old-service.ts'
import { caseData } from '../../legacy/support/cases.ts'
import { openOverOld, type Settings, serveAnswers, startOld } from './support.ts'

describe('an old service', () => {
  test('has whole users and apps', async () => {
    const { store, find } = openOverOld((await startOld()).url)
    const ada = { id: 1, username: 'Ada', displayName: 'Ada of the Hill', joinDate: 1199145600 }
    const mallory = { id: 3, username: 'mallory', isConfirmed: true, banned: true }
    expect(await store.findUsers('ID', ['3', '99', '1'])).toMatchObject([mallory, null, ada])
    const paint = { id: 2, title: 'Paint & Paper', downloadLink: expect.stringMatching(/\/2\/$/) }
    expect(await store.findApps(['2', '99'])).toMatchObject([paint, null])
    expect(await find('ID')).toEqual([])
    await store.ready()
  })

  const numeric = { 'json.numericTexts': 'number' }
  const out = 'Unavailable'
  type By = 'ID' | 'USERNAME' | 'CHAT' | 'APP'
  type Expected = string | readonly (number | string | null)[]
  test.for<[what: string, Switches, By, values: string, Expected, Settings?]>([
    ['is asked for values twice', {}, 'ID', '3 99 1 3', [3, null, 1, 3]],
    ['has null for unknown values', { unknown: 'null' }, 'ID', '1 99', [1, null]],
    ['has an empty list for unknown values', { unknown: 'list' }, 'ID', '1 99', [1, null]],
    // An error may mean anything.
    ['refuses an unknown value', { unknown: 'error' }, 'ID', '1 99 3', [1, out, 3]],
    ['refuses it, status 200', { unknown: 'error', errorStatus: '200' }, 'ID', '99', out],
    ['heeds case', { caseSensitive: true }, 'USERNAME', 'Ada ada søren', [1, null, 2]],
    ['ignores case', {}, 'USERNAME', 'ADA aDa', [1, 1]],
    ['has its own method', { chatMethod: 'talk' }, 'CHAT', 'chat-1001', [1], { chatMethod: 'talk' }],
    ['has its own name', { serviceName: 'Acme' }, 'APP', '1', [1], { serviceName: 'Acme' }],
    ['takes shorter lists than set', { maxValues: 2 }, 'ID', '1 2 3', [1, 2, 3]],
    ['is behind a firewall', { blocked: '<' }, 'USERNAME', 'ada <b> x', [1, out, null]],
    ['has a row that is not UTF-8', { broken: 2 }, 'ID', '1 2 3', [1, out, 3]],
    ['compresses everything', { gzip: true }, 'ID', '3 99', [3, null]],
    ['checks for numbers', { numericCheck: true }, 'USERNAME', '9 10 007 x', [9, 8, 11, null], numeric],
    ['checks for numbers, which is not set', { numericCheck: true }, 'ID', '1 8', [1, out]],
  ])('%s', async ([, switches, by, values, expected, settings]) => {
    const data = switches.numericCheck ? { data: caseData } : {}
    const { find } = openOverOld((await startOld(switches, data)).url, settings)
    expect(await find(by, ...values.split(' '))).toEqual(expected)
  })
})

const user = { ...userOf('1'), Username: 'Ada' }
const one = (changed: object) => JSON.stringify({ 1: { ...user, ...changed } })

describe('a response for user 1', () => {
  test.for([
    ...['{}', '[]', '{"1":null}', '{"1":[]}', '{"1":{}}', '{"1":false}', '{"1":""}'],
    ...['{"1":{"Id":null,"Username":null,"Rank":null}}', '{"1":{"Id":"","Username":"","Rank":null}}'],
    // As PHP's casts have nothing.
    ...[one({ Id: 0, Username: 'Guest' }), one({ Id: '0' })],
    ...['{"1":{"Error":"No such user"}}', '{"1":{"error":{"code":7,"message":"No such user"}}}'],
  ])('says that there is none: %s', async (body) => {
    const { url } = await serveAnswers(() => body)
    expect(await openOverOld(url).find('ID', '1')).toEqual([null])
  })

  test.for<[changed: object, read?: object]>([
    [
      { Id: '1', Rank: '-5', JoinDate: '9007199254740991' },
      { rank: -5, joinDate: 2 ** 53 - 1 },
    ],
    [{ IsConfirmed: 1, Banned: 0 }],
    [{ IsConfirmed: '1', Banned: '0' }],
    // As PHP casts false.
    [{ IsConfirmed: '1', Banned: '' }],
    [{ IsConfirmed: 'true', Banned: 'false' }],
    [{ DisplayName: null }, { displayName: '' }],
  ])('may have %j', async ([changed, read]) => {
    const { url } = await serveAnswers(() => one(changed))
    const [found] = await openOverOld(url).store.findUsers('ID', ['1'])
    expect(found).toMatchObject({ id: 1, isConfirmed: true, banned: false, ...read })
  })

  const wrong = [
    ...[{ Rank: undefined }, { Rank: ' 1' }, { Rank: '1.0' }, { Rank: 1.5 }, { Rank: null }, { Id: 2 }],
    ...[{ JoinDate: '9007199254740993' }, { Username: 1 }, { Username: null }],
    ...[{ Banned: 2 }, { Banned: 'no' }, { Banned: null }],
  ]
  test.for<[body: string | (() => Buffer), status?: number, headers?: Readonly<Record<string, string>>]>([
    ...['', one({}).slice(0, 40), '<html>maintenance</html>', 'null', '[1]', '{"1":1}', '{"2":null}'].map(
      (body): [string] => [body],
    ),
    ...wrong.map((changed): [string] => [one(changed)]),
    [one({}).replace('"JoinDate":0', '"JoinDate":9007199254740993')],
    ['{"error":"Nothing found"}'],
    ['{"error":{"code":7}}'],
    [JSON.stringify({ 2: { ...user, Id: 2 } })],
    [() => Buffer.from(one({ DisplayName: 'é' }), 'latin1')],
    // A name of the test with its bytes would have megabytes.
    [() => Buffer.alloc(9 * 1024 * 1024, '1')],
    ['', 302, { Location: '/elsewhere' }],
    ['{}', 404],
    ['{}', 503],
  ])('is an outage, not a miss: %s', async ([body, status = 200, headers = {}]) => {
    const { url, asked } = await serveAnswers((_, response) => {
      response.writeHead(status, headers)
      return typeof body === 'string' ? body : body()
    })
    const { find, types } = openOverOld(url)
    expect(await find('ID', '1')).toBe('Unavailable')
    expect(types()).toEqual(['store-failed'])
    expect(asked).toHaveLength(1)
  })

  test('does not come if nobody listens: an outage', async () => {
    expect(await openOverOld('http://127.0.0.1:1/').find('ID', '1')).toBe('Unavailable')
  })
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

const escaped = '&quot;Salt&quot; &amp; &lt;Pepper&gt; &#039;n &amp;amp; é'
test.for<[key: string, value: string, written: string, text: string]>([
  ['json.html', 'plain', JSON.stringify(escaped), escaped],
  ['json.html', 'escaped', JSON.stringify(escaped), '"Salt" & <Pepper> \'n &amp; é'],
  ['json.numericTexts', 'number', '2077', '2077'],
  // More digits than a double holds.
  ['json.numericTexts', 'number', '9007199254740993', '9007199254740993'],
  ['json.numericTexts', 'number', '3.14', '3.14'],
])('with %s=%s, the text %s is read as %s', async ([key, value, written, text]) => {
  const { url } = await serveAnswers(() => one({ DisplayName: 'HERE' }).replace('"HERE"', written))
  const { store } = openOverOld(url, { [key]: value })
  expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1, displayName: text }])
})
