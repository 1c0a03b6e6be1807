// The settings that a replay names: where one of them is set as the old service has it, the difference is gone.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { settingsFor } from '../../../src/gateway/legacy/habits/index.ts'
import { symptoms } from '../../../src/gateway/legacy/habits/symptom.ts'
import { askedBy } from '../../../src/migration/access-log/legacy.ts'
import { compareReplies } from '../../../src/migration/answers/compare.ts'
import { fixesOf } from '../../../src/migration/replay/symptoms.ts'
import { createCall } from '../../../src/stores/old-service/call.ts'
import { startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, type Switches, startOldService } from '../../old-service/start.ts'

const users = 'Event=ProfileLookup&Users'
const byName = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users'
const many = Array.from({ length: 60 }, (_, at) => at + 1).join(':')

type Case<Old> = readonly [setting: string, old: Old, query: string, others?: Record<string, string>]

/** What the old service in PHP has otherwise, a request that shows it, and the setting that is named. */
const cases: readonly Case<Switches>[] = [
  ['LEGACY_SERVICE_NAME=Acme', { serviceName: 'Acme' }, `${users}=1&Format=XML`],
  ['LEGACY_SERVICE_NAME=Acme', { serviceName: 'Acme' }, 'Event=AppLookup&Apps=1'],
  ['LEGACY_CHAT_METHOD=im', { chatMethod: 'im' }, byName.replace('username', 'im').concat('=chat-1001')],
  ['LEGACY_ANY_CASE=events', { anyCase: ['events'] }, 'Event=profilelookup&Users=1'],
  ['LEGACY_ANY_CASE=methods', { anyCase: ['methods'] }, `${byName.replace('username', 'USERNAME')}=Ada`],
  ['LEGACY_REPEATED=last', { repeated: 'last' }, `${users}=1&Users=2`],
  ['LEGACY_OTHER_EVENT=ProfileLookup', { otherEvent: 'any' }, 'Event=Profile&Users=1'],
  ['LEGACY_OTHER_FORMAT=json', { otherFormat: 'json' }, `${users}=1&Format=YAML`],
  ['LEGACY_OTHER_METHOD=id', { otherMethod: 'id' }, `${byName.replace('username', 'email')}=1`],
  ['LEGACY_NO_VALUES=empty', { noValues: 'empty' }, `${users}=`],
  ['LEGACY_LOOSE_IDS=exact', {}, `${users}=1:02`],
  ['LEGACY_LOOSE_IDS=numeric', { looseIds: true }, `${users}=1:2.0`],
  ['LEGACY_MALFORMED=unknown', {}, `${users}=1:abc`],
  ['LEGACY_USERNAMES=exact', { caseSensitive: true }, `${byName}=Ada:MALLORY`],
  ['LEGACY_MAX_VALUES=50', { maxValues: 50 }, `${users}=${many}`],
  ['LEGACY_MAX_VALUES=100', {}, `${users}=${many}`, { LEGACY_MAX_VALUES: '50' }],
  ['LEGACY_KEYS=id', { naming: 'id' }, `${byName}=Ada`],
  ['LEGACY_KEYS_XML=stored', { naming: 'stored' }, `${byName}=ADA&Format=XML`],
  ['LEGACY_ORDER=id', { orderBy: 'id' }, `${users}=2:1&Format=XML`],
  ['LEGACY_APPS_ORDER=id', { appsOrderBy: 'id' }, 'Event=AppLookup&Apps=2:1&Format=XML'],
  ['LEGACY_UNKNOWN=null', { unknown: 'null' }, `${users}=1:99`],
  ['LEGACY_UNKNOWN=[]', { unknown: 'list' }, `${users}=1:99`],
  ['LEGACY_UNKNOWN=[]', { unknown: 'list' }, `${users}=1:99`, { LEGACY_UNKNOWN: 'null' }],
  ['LEGACY_UNKNOWN=refuse', { unknown: 'error' }, `${users}=1:99`, { LEGACY_ERROR_STATUS: '400' }],
  ['LEGACY_UNKNOWN_STATUS=400', { unknown: 'error' }, `${users}=99`, { LEGACY_UNKNOWN: 'refuse' }],
  ['LEGACY_UNKNOWN_XML=empty', { unknown: 'null' }, `${users}=1:99&Format=XML`],
  ['LEGACY_EMPTY=none', { nothing: 'silent' }, `${users}=99`],
  ['LEGACY_EMPTY=refuse', { nothing: 'error' }, `${users}=99`, { LEGACY_ERROR_STATUS: '400' }],
  ['LEGACY_TEXT_ESCAPES=html', { escaped: 'both' }, `${users}=1:2:3:4:5:6:7:8:9:10:11:12:13:14`],
  ['LEGACY_JSON_FLAGS=numeric-check', { numericCheck: true }, `${users}=1:2:3:4:5:6:7:8:9:10:11:12:13:14`],
  ['LEGACY_ERROR_STATUS=200', { errorStatus: '200' }, 'Event=Nothing&Users=1'],
  ['LEGACY_ERROR_STATUSES=UnknownEvent=400', {}, 'Event=Nothing', { LEGACY_ERROR_STATUS: '404' }],
]

/** What the old service in PHP has no switch for: a gateway that has it so is the old service. */
const ofGateways: readonly Case<null>[] = [
  ['LEGACY_PATHS=/,/index.php', null, `index.php?${users}=1`],
  ['LEGACY_LIST=colon-comma', null, `${byName}=Ada,mallory`],
  ['LEGACY_EMPTY_VALUES=keep', null, `${byName}=Ada::mallory`, { LEGACY_UNKNOWN: 'null' }],
  ['LEGACY_DUPLICATES=each', null, `${users}=1:1&Format=XML`],
  ['LEGACY_TOO_MANY=cut', null, `${users}=1:2:3`, { LEGACY_MAX_VALUES: '2' }],
  ['LEGACY_TOO_MANY=cut', null, `${users}=1:2:3`, { LEGACY_MAX_VALUES: '2', LEGACY_UNKNOWN: 'null' }],
  ['LEGACY_FIELDS=Username,Id', null, `${users}=1&Format=XML`],
  ['LEGACY_UNKNOWN=nulls+0', null, `${users}=1:99`, { LEGACY_UNKNOWN_XML: 'empty' }],
  ['LEGACY_UNKNOWN_XML=unconfirmed', null, `${users}=1:99&Format=XML`],
  ['LEGACY_NUMBERS=string', null, `${users}=1`],
  ['LEGACY_BOOLEANS=integer', null, `${users}=1`],
  ['LEGACY_BOOLEANS=strval', null, `${users}=1:2`, { LEGACY_NUMBERS: 'string' }],
  [
    'LEGACY_ERROR_BODY={"error":"{message}"}',
    null,
    'Event=Nothing&Format=XML',
    { LEGACY_ERROR_STATUS: '200' },
  ],
  [
    'LEGACY_ERROR_BODY_XML={"error":"{message}"}',
    null,
    'Event=Nothing&Format=XML',
    { LEGACY_ERROR_STATUS: '200' },
  ],
]

/** Each setting that a difference names, by the field and the kind. */
async function namedSettings(old: string, fresh: string, target: string) {
  const options = { timeout: 20_000, connections: 1 }
  const [path = '', query = ''] = target.includes('?') ? target.split('?') : ['', target]
  const ask = (url: string) => createCall({ url: url + path, headers: {} }, options)(query)
  const [was, is] = await Promise.all([ask(old), ask(fresh)])
  const { differences } = compareReplies(was, is)
  return differences.map((one) => ({ ...one, fixedBy: fixesOf({ ...askedBy(query), query, ...one }) }))
}

async function gatewayWith(settings: object): Promise<string> {
  const gateway = await startGateway({ ...settings })
  onTestFinished(gateway.close)
  return `${gateway.url}/`
}

function withOthers<Old>(all: readonly Case<Old>[]) {
  return all.map(([setting, old, query, others = {}]) => [setting, old, query, others] as const)
}

const pairOf = (setting: string) => {
  const equals = setting.indexOf('=')
  return [setting.slice(0, equals), setting.slice(equals + 1)] as const
}

async function expectFixed(setting: string, old: string, target: string, others: object): Promise<void> {
  const [name, value] = pairOf(setting)
  const before = await namedSettings(old, await gatewayWith(others), target)
  expect(before).not.toEqual([])
  for (const difference of before) expect(difference.fixedBy, JSON.stringify(difference)).toContain(name)
  expect(await namedSettings(old, await gatewayWith({ ...others, [name]: value }), target)).toEqual([])
}

describe.skipIf(!hasProgram('php'))('the old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  test.each(withOthers(cases))('%s, where it is %o: %s', async (setting, switches, query, others) => {
    old.switchTo(switches)
    await expectFixed(setting, old.url, query, others)
  })

  test('data that differ are fixed by no setting', async () => {
    old.switchTo({ changing: ['Rank'] })
    expect(await namedSettings(old.url, await gatewayWith({}), `${users}=1`)).toMatchObject([
      { field: 'Rank', kind: 'value', fixedBy: [] },
    ])
  })
})

test.each(withOthers(ofGateways))('%s (%o), for %s', async (setting, _, target, others) => {
  const [name, value] = pairOf(setting)
  await expectFixed(setting, await gatewayWith({ ...others, [name]: value }), target, others)
})

test('every setting that may be named has its case', () => {
  const tried = new Set([...cases, ...ofGateways].map(([setting]) => pairOf(setting)[0]))
  expect([...tried].toSorted()).toEqual(settingsFor(symptoms).toSorted())
})
