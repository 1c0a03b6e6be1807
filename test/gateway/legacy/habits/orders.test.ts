// The orders of entries, over a real socket and in both formats.

import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../../src/config.ts'
import { legacyEvents } from '../../../../src/gateway/legacy/events/index.ts'
import { ordersOfApps, ordersOfUsers } from '../../../../src/gateway/legacy/habits/orders.ts'
import { startGateway } from '../../../kit/gateway.ts'
import { ask, inFormat } from '../support/ask.ts'
import { namesIn } from '../support/reply.ts'

type Settings = Readonly<Record<string, string>>

const byId = 'Event=ProfileLookup&Users='
const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='
const apps = 'Event=AppLookup&Apps='
const order = (value: string, beside: Settings = {}) => ({ LEGACY_ORDER: value, ...beside })
const ofApps = (value: string, beside: Settings = {}) => ({ LEGACY_APPS_ORDER: value, ...beside })
const shown = { LEGACY_UNKNOWN: 'null' }

async function answered(settings: Settings, query: string, format: 'JSON' | 'XML') {
  const { url, close } = await startGateway(settings)
  onTestFinished(close)
  return namesIn(await ask(url, inFormat(query, format)), format).join(' ')
}

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  test.for<[settings: Settings, query: string, names: string]>([
    [order('id desc'), `${byId}3:12:1`, '12 3 1'],
    [order('id desc', shown), `${byId}3:99:12:98:1`, '12 3 1 99 98'],
    [order('id desc'), `${byName}Ada:mallory:søren`, 'mallory søren Ada'],
    [order('Username'), `${byId}2:13:3:1:11:9`, '11 1 13 3 2 9'],
    [order('Username', shown), `${byId}99:3:1`, '1 3 99'],
    [order('Username'), `${byName}Zoë:mallory:ada`, 'ada Zoë mallory'],
    [order('Username desc'), `${byId}2:13:3:1:11:9`, '9 2 3 13 1 11'],
    [order('Username nocase'), `${byId}13:4:1:14:6`, '1 4 6 13'],
    [order('Username nocase desc'), `${byId}13:4:1:6`, '13 6 4 1'],
    [order('Username general_ci'), `${byId}13:4:1:6`, '1 4 6 13'],
    [order('DisplayName'), `${byId}5:7:6:1`, '7 6 1 5'],
    [order('Rank'), `${byId}1:13:5:6:4`, '13 4 5 6 1'],
    // Of the same rank: by id.
    [order('Rank desc'), `${byId}8:7:6:5:1`, '1 5 6 7 8'],
    [order('JoinDate'), `${byId}8:5:4:13:1`, '13 1 5 4 8'],
    [order('JoinDate desc', shown), `${byId}5:99:4:13:1`, '4 5 1 13 99'],
    [order('ksort'), `${byId}12:3:1`, '1 3 12'],
    [order('ksort', shown), `${byName}mallory:99:Ada:1234:20`, '20 99 1234 Ada mallory'],
    [order('ksort'), `${byName}mallory:søren:Ada`, 'Ada mallory søren'],
    [order('ksort'), `${apps}70000:3`, '3 70000'],
    [order('id desc'), `${apps}3:70000:1`, '70000 3 1'],
    // Apps have no such field.
    [order('Username'), `${apps}3:70000:1`, '1 3 70000'],
    [order('Username', ofApps('asked')), `${apps}3:70000:1`, '3 70000 1'],
    [ofApps('Title'), `${apps}1:2:6:3:5`, '6 3 2 1 5'],
    [ofApps('Title desc'), `${apps}1:2:6:3:5`, '5 1 2 3 6'],
    [ofApps('Category desc', shown), `${apps}99:1:2:6`, '2 1 6 99'],
    [ofApps('Version'), `${apps}1:2:3:4`, '3 1 4 2'],
    [ofApps('name'), `${apps}6:70000:3`, '3 6 70000'],
    [ofApps('id desc'), `${byId}1:3:2`, '1 3 2'],
  ])('%j: %s', async ([settings, query, names]) => {
    expect(await answered(settings, query, format)).toBe(names)
  })
})

test('what a setting may name are fields of its answers', () => {
  const events = legacyEvents(readConfig({}).dialect)
  const fieldsOf = (event: string) =>
    events.find(({ name }) => name === event)?.fields.map(({ name }) => name)
  const namedIn = (orders: readonly string[]) =>
    new Set(orders.map((one) => one.split(' ')[0]).filter((one) => /^[A-Z]/.test(one ?? '')))
  expect(fieldsOf('ProfileLookup')).toEqual(expect.arrayContaining([...namedIn(ordersOfUsers)]))
  expect(fieldsOf('AppLookup')).toEqual(expect.arrayContaining([...namedIn(ordersOfApps)]))
})

test.for<[settings: Settings, query: string, setting: string, effect: string | undefined]>([
  [order('id desc'), `${byId}1:2`, 'LEGACY_ORDER', 'Entries are in the order of their ids (desc).'],
  [
    order('Username nocase desc'),
    `${byId}1:2`,
    'LEGACY_ORDER',
    'Entries are in the order of their Username (nocase desc).',
  ],
  [
    order('ksort'),
    `${byId}1:2`,
    'LEGACY_ORDER',
    "Entries are in the order of their names as PHP's ksort() has it.",
  ],
  [order('Username'), `${apps}1:2`, 'LEGACY_ORDER', 'Entries are in the order of their ids.'],
  [order('Username'), `${byId}1:99`, 'LEGACY_ORDER', undefined],
  [
    ofApps('Title', order('id')),
    `${apps}1:2`,
    'LEGACY_APPS_ORDER',
    'Entries are in the order of their Title.',
  ],
  [ofApps('Title', order('id')), `${apps}1:2`, 'LEGACY_ORDER', undefined],
  [ofApps('Title', order('id')), `${byId}1:2`, 'LEGACY_APPS_ORDER', undefined],
])('%j: /explain?%s says of %s: %s', async ([settings, query, setting, effect]) => {
  const { url, close } = await startGateway(settings)
  onTestFinished(close)
  const { dialect } = JSON.parse((await ask(url, `/explain?${query}`)).body)
  const said = dialect.find((one: { readonly setting: string }) => one.setting === setting)
  expect(said?.effect).toBe(effect)
})
