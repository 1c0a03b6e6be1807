// How entries are named and ordered.

import { describe, expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { ask, inFormat } from './support/ask.ts'
import { APP, CHAT, ID, NAME, type Settings, testRows } from './support/rows.ts'

const shown = { LEGACY_UNKNOWN: 'null' }
const keys = (value: string, beside: Settings = shown) => ({ ...beside, LEGACY_KEYS: value })
const order = (value: string, beside: Settings = shown) => ({ ...beside, LEGACY_ORDER: value })
const appsOrder = (value: string, beside: Settings = shown) => ({ ...beside, LEGACY_APPS_ORDER: value })
/** The ids of entries that are named by what was asked for. */
const ids = (list: string) => list.replaceAll(/\d+/g, '$& → $&').replaceAll(';', ',')

describe('names', () => {
  testRows([
    [keys('lower'), `${NAME}ADA:Nobody:SØREN`, 'ada → 1, nobody → null, sØren → 2'],
    [keys('lower'), `${NAME}Ada:ADA`, 'ada → 1'],
    [keys('lower'), `${CHAT}CHAT-1`, 'chat-1 → null'],
    [keys('read'), `${ID}007:7:099:99`, '7 → 7, 99 → null'],
    [keys('read'), `${NAME}ADA:Nobody`, 'ADA → 1, Nobody → null'],
    [keys('stored'), `${NAME}ADA:ada:Nobody:nobody`, 'Ada → 1, Nobody → null, nobody → null'],
    [keys('stored'), `${ID}007`, '7 → 7'],
    [keys('stored'), `${CHAT}chat-1001`, 'chat-1001 → 1'],
    [keys('id'), `${NAME}ADA:søren:Ada:Nobody`, '1 → 1, 2 → 2, Nobody → null'],
    [keys('id'), `${CHAT}chat-1002:chat-9`, '2 → 2, chat-9 → null'],
    // The username 11 names nobody, and 1234 has the id 11: the entry that is found wins.
    [keys('id'), `${NAME}11:Ada:1234`, '1 → 1, 11 → 11'],
    [keys('username'), `${ID}1:99`, 'Ada → 1, 99 → null'],
    [keys('username'), `${CHAT}chat-1001`, 'Ada → 1'],
    [keys('username'), `${APP}1`, '1 → 1'],
    [keys('read,chat=id'), `${CHAT}chat-1002:chat-9`, '2 → 2, chat-9 → null'],
    [keys('read,chat=id'), `${NAME}ADA`, 'ADA → 1'],
    [keys('read,chat=id'), `${ID}007`, '7 → 7'],
    [keys('id,chat=asked'), `${CHAT}chat-1002`, 'chat-1002 → 2'],
    [keys('stored,id=asked'), `${ID}007:7`, '007 → 7, 7 → 7'],
    [keys('id', { LEGACY_KEYS_XML: 'stored' }), `${NAME}ADA`, ['1 → 1', 'Ada → 1']],
    [
      keys('id', { ...shown, LEGACY_MALFORMED: 'unknown', LEGACY_LOOSE_IDS: 'php' }),
      `${ID}1abc:1:x:y`,
      '1 → 1, 0 → null',
    ],
    [
      {
        ...shown,
        LEGACY_MALFORMED: 'unknown',
        LEGACY_LOOSE_IDS: 'php',
        LEGACY_KEYS: 'id',
        LEGACY_ORDER: 'id',
      },
      `${APP}x:70000:3.5:2abc`,
      '2 → 2, 3 → 3, 70000 → 70000, 0 → null',
    ],
  ])
})

describe('orders', () => {
  testRows([
    [
      order('id'),
      `${ID}12:99:9007199254740991:3:98:7`,
      '3 → 3, 7 → 7, 12 → 12, 9007199254740991 → 9007199254740991, 99 → null, 98 → null',
    ],
    [order('id'), `${NAME}mallory:ADA:ada`, 'ADA → 1, ada → 1, mallory → 3'],
    [order('name'), `${ID}7:99:12:3`, '12 → 12, 3 → 3, 7 → 7, 99 → null'],
    [
      order('name'),
      `${NAME}mallory:%f0%9f%98%80:%ef%bd%81:ADA`,
      'ADA → 1, mallory → 3, ａ → null, 😀 → null',
    ],
    [order('id desc'), `${ID}3:99:12:98:1`, '12 → 12, 3 → 3, 1 → 1, 99 → null, 98 → null'],
    [order('id desc'), `${NAME}Ada:mallory:søren`, 'mallory → 3, søren → 2, Ada → 1'],
    [order('id desc'), `${APP}3:70000:1`, ids('70000; 3; 1')],
    [order('Username'), `${ID}2:13:3:1:11:9`, ids('11; 1; 13; 3; 2; 9')],
    [order('Username'), `${ID}99:3:1`, '1 → 1, 3 → 3, 99 → null'],
    [order('Username'), `${NAME}Zoë:mallory:ada`, 'ada → 1, Zoë → 13, mallory → 3'],
    // Apps have no such field: their order is by id.
    [order('Username'), `${APP}3:70000:1`, ids('1; 3; 70000')],
    [order('Username desc'), `${ID}2:13:3:1:11:9`, ids('9; 2; 3; 13; 1; 11')],
    [order('Username nocase'), `${ID}13:4:1:14:6`, '1 → 1, 4 → 4, 6 → 6, 13 → 13, 14 → null'],
    [order('Username nocase desc'), `${ID}13:4:1:6`, ids('13; 6; 4; 1')],
    [order('Username general_ci'), `${ID}13:4:1:6`, ids('1; 4; 6; 13')],
    [order('DisplayName'), `${ID}5:7:6:1`, ids('7; 6; 1; 5')],
    [order('Rank'), `${ID}1:13:5:6:4`, ids('13; 4; 5; 6; 1')],
    // Of the same rank: by id.
    [order('Rank desc'), `${ID}8:7:6:5:1`, ids('1; 5; 6; 7; 8')],
    [order('JoinDate'), `${ID}8:5:4:13:1`, ids('13; 1; 5; 4; 8')],
    [order('JoinDate desc'), `${ID}5:99:4:13:1`, '4 → 4, 5 → 5, 1 → 1, 13 → 13, 99 → null'],
    [order('ksort'), `${ID}12:3:1`, ids('1; 3; 12')],
    [
      order('ksort'),
      `${NAME}mallory:99:Ada:1234:20`,
      '20 → null, 99 → null, 1234 → 11, Ada → 1, mallory → 3',
    ],
    [order('ksort'), `${APP}70000:3`, ids('3; 70000')],
    [appsOrder('asked', { LEGACY_ORDER: 'Username' }), `${APP}3:70000:1`, ids('3; 70000; 1')],
    [appsOrder('Title'), `${APP}1:2:6:3:5`, ids('6; 3; 2; 1; 5')],
    [appsOrder('Title desc'), `${APP}1:2:6:3:5`, ids('5; 1; 2; 3; 6')],
    [appsOrder('Category desc'), `${APP}99:1:2:6`, '2 → 2, 1 → 1, 6 → 6, 99 → null'],
    [appsOrder('Version'), `${APP}1:2:3:4`, ids('3; 1; 4; 2')],
    [appsOrder('name'), `${APP}6:70000:3`, ids('3; 6; 70000')],
    [appsOrder('id desc'), `${ID}1:3:2`, ids('1; 3; 2')],
  ])
})

describe('fields', () => {
  const fieldsOf = (body: string) =>
    body.startsWith('{')
      ? Object.keys(Object.values<object>(JSON.parse(body))[0] ?? {})
      : [...body.matchAll(/<(\w+)(?:\/|>[^<]*<\/\w+)>/g)].map(([, name]) => name)

  test.for([
    [ID, ['Username', 'Banned', 'Id', 'DisplayName', 'Rank', 'JoinDate', 'IsConfirmed']],
    [APP, ['AcmeDownloadLink', 'Title', 'Version', 'Category', 'ChangelogLink']],
  ] as const)('LEGACY_FIELDS names those that come first: %s', async ([query, fields], { withSettings }) => {
    const settings = { LEGACY_FIELDS: 'Username,DownloadLink,Banned,Title', LEGACY_SERVICE_NAME: 'Acme' }
    const { url } = await withSettings(settings)
    for (const format of ['JSON', 'XML'] as const)
      expect(fieldsOf((await ask(url, inFormat(`${query}1`, format))).body)).toEqual(fields)
  })

  test('sorted JSON has entries and fields by name; XML keeps its order', async ({ withSettings }) => {
    const settings = { LEGACY_JSON_FLAGS: 'sorted', LEGACY_ORDER: 'id', LEGACY_FIELDS: 'Rank' }
    const { url } = await withSettings(settings)
    const json = (await ask(url, inFormat(`${NAME}søren:mallory:ada`, 'JSON'))).body
    expect(json.match(/[\w\\]+(?=":\{)/g)).toEqual(['ada', 'mallory', 's\\u00f8ren'])
    expect(fieldsOf(json)).toEqual(fieldsOf(json).toSorted())
    const xml = (await ask(url, inFormat(`${NAME}mallory:ada`, 'XML'))).body
    expect(xml).toMatch(
      /<Data Value="ada"><Rank>9<\/Rank><Id>1<.*<Data Value="mallory"><Rank>0<\/Rank><Id>3</,
    )
  })
})
