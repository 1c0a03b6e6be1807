// How entries are named and ordered. dialects.peers.test.ts compares every combination with PHP.

import { describe, expect } from 'vitest'
import { test } from '../kit/test.ts'
import { ask, inFormat } from './support/ask.ts'
import { APP, CHAT, ID, NAME, type Settings, shown, testRows } from './support/rows.ts'

const names = (of: 'ids' | 'usernames' | 'chats', value: string, beside: Settings = shown) => ({
  ...beside,
  [`entries.${of}`]: value,
})
const order = (value: string, beside: Settings = shown) => ({ ...beside, 'entries.users': value })
const appsOrder = (value: string, beside: Settings = shown) => ({ ...beside, 'entries.apps': value })
/** The ids of entries that are named by what was asked for. */
const ids = (list: string) => list.replaceAll(/\d+/g, '$& → $&').replaceAll(';', ',')

describe('names', () => {
  testRows([
    [names('usernames', 'lower'), `${NAME}ADA:Nobody:SØREN`, 'ada → 1, nobody → null, sØren → 2'],
    [names('chats', 'lower'), `${CHAT}CHAT-1`, 'chat-1 → null'],
    [names('ids', 'read'), `${ID}007:7:099`, ['7 → 7, 99 → null', '7 → 7, 7 → 7, 99 → null']],
    [
      names('usernames', 'stored'),
      `${NAME}ADA:ada:Nobody:nobody`,
      ['Ada → 1, Nobody → null, nobody → null', 'Ada → 1, Ada → 1, Nobody → null, nobody → null'],
    ],
    [
      names('usernames', 'id'),
      `${NAME}ADA:søren:Ada:Nobody`,
      ['1 → 1, 2 → 2, Nobody → null', '1 → 1, 2 → 2, 1 → 1, Nobody → null'],
    ],
    [names('chats', 'id'), `${CHAT}chat-1002:chat-9`, '2 → 2, chat-9 → null'],
    [names('chats', 'username'), `${CHAT}chat-1001`, 'Ada → 1'],
    [names('ids', 'username'), `${ID}1:099`, 'Ada → 1, 99 → null'],
    [names('ids', 'username'), `${APP}1`, '1 → 1'],
    [
      names('ids', 'read', { ...shown, 'read.ids': 'cast', 'read.malformed': 'unknown' }),
      `${ID}1abc:1:x:y`,
      ['1 → 1, 0 → null', '1 → 1, 1 → 1, 0 → null, 0 → null'],
    ],
    // The missing ADA is left out, so it does not stand for Ada.
    [
      names('usernames', 'lower', { 'read.usernames': 'exact', 'read.repeatedValues': 'once by entry' }),
      `${NAME}ADA:Ada:mallory:Ada`,
      'ada → 1, mallory → 3',
    ],
    [{ 'read.missing': 'refuse', 'read.repeatedValues': 'once by entry' }, `${ID}1:99`, '404 NothingFound'],
  ])
})

describe('orders', () => {
  testRows([
    [
      order('id'),
      `${ID}12:99:9007199254740991:3:98:7`,
      '3 → 3, 7 → 7, 12 → 12, 9007199254740991 → 9007199254740991, 99 → null, 98 → null',
    ],
    [
      order('name'),
      `${NAME}mallory:%f0%9f%98%80:%ef%bd%81:ADA`,
      'ADA → 1, mallory → 3, ａ → null, 😀 → null',
    ],
    [order('username'), `${ID}2:13:3:1:11:9`, ids('11; 1; 13; 3; 2; 9')],
    [order('username, no case'), `${ID}13:4:1:14:6`, '1 → 1, 4 → 4, 6 → 6, 13 → 13, 14 → null'],
    [order('username, no accents'), `${ID}13:4:1:6`, ids('1; 4; 6; 13')],
    // Of the same rank: by id.
    [order('rank desc'), `${ID}8:7:6:5:1`, ids('1; 5; 6; 7; 8')],
    [order('joinDate'), `${ID}8:5:4:13:1`, ids('13; 1; 5; 4; 8')],
    [
      order('name as number'),
      `${NAME}mallory:99:Ada:1234:20`,
      '20 → null, 99 → null, 1234 → 11, Ada → 1, mallory → 3',
    ],
    [
      order('as in JavaScript'),
      `${NAME}mallory:99:Ada:1234:4294967295`,
      '99 → null, 1234 → 11, mallory → 3, Ada → 1, 4294967295 → null',
    ],
    // One number, so they keep their order.
    [order('name as number'), `${NAME}0.5:.5`, '0.5 → null, .5 → null'],
    // PHP compares integers of more than 64 bits as texts if one float stands for both.
    [
      order('name as number'),
      `${NAME}99999999999999999999:100000000000000000000:9007199254740993:9007199254740992`,
      '9007199254740992 → null, 9007199254740993 → null, 100000000000000000000 → null, 99999999999999999999 → null',
    ],
    // +0x is between +007 and +1, and would keep them apart. It is left out.
    [
      { 'entries.users': 'name as number', 'read.ids': 'signed', 'read.malformed': 'unknown' },
      `${ID}%2B007:%2B0x:%2B1`,
      '+1 → 1, +007 → 7',
    ],
    [order('username'), `${APP}3:70000:1`, ids('3; 70000; 1')],
    [appsOrder('title'), `${APP}1:2:6:3:5`, ids('6; 3; 2; 1; 5')],
    [appsOrder('category desc'), `${APP}99:1:2:6`, '2 → 2, 1 → 1, 6 → 6, 99 → null'],
  ])
})

describe('fields', () => {
  const fieldsOf = (body: string) =>
    body.startsWith('{')
      ? Object.keys(Object.values<object>(JSON.parse(body))[0] ?? {})
      : [...body.matchAll(/<(\w+)(?:\/|>[^<]*<\/\w+)>/g)].map(([, name]) => name)

  test('have the order of the dialect in each format', async ({ withSettings }) => {
    const json = ['Username', 'Banned', 'Id', 'DisplayName', 'Rank', 'JoinDate', 'IsConfirmed']
    const xml = ['Rank', 'Id', 'Username']
    const { url } = await withSettings({
      serviceName: 'Acme',
      'fields.users.json': json,
      'fields.users.xml': xml,
      'fields.apps.json': ['ServiceDownloadLink', 'Title'],
    })
    expect(fieldsOf((await ask(url, inFormat(`${ID}1`, 'JSON'))).body)).toEqual(json)
    expect(fieldsOf((await ask(url, inFormat(`${ID}1`, 'XML'))).body)).toEqual(xml)
    expect(fieldsOf((await ask(url, inFormat(`${APP}1`, 'JSON'))).body)).toEqual([
      'AcmeDownloadLink',
      'Title',
    ])
  })

  test('JSON by name has entries in the order of their bytes; XML keeps its order', async ({
    withSettings,
  }) => {
    const { url } = await withSettings({ 'json.entries': 'by name' })
    const json = (await ask(url, inFormat(`${NAME}søren:mallory:ada`, 'JSON'))).body
    expect(json.match(/[\w\\]+(?=":\{)/g)).toEqual(['ada', 'mallory', 's\\u00f8ren'])
    const xml = (await ask(url, inFormat(`${NAME}mallory:ada`, 'XML'))).body
    expect(xml).toMatch(/<Data Value="mallory">.*<Data Value="ada">/)
  })
})
