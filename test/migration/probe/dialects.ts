// How `lookup probe` recovers the dialect of an old service, and a gateway with the settings that it prints sends
// responses of the same meaning.

import { expect, onTestFinished } from 'vitest'
import { compareReplies } from '../../../src/migration/answers/compare.ts'
import { createCall } from '../../../src/stores/old-service/call.ts'
import { startGateway } from '../../kit/gateway.ts'
import type { Switches } from '../../kit/old-service.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { probe } from './support.ts'

const M = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'
const calls = { timeout: 10_000, connections: 1 }

/** Requests of clients, and their mistakes. */
const queries = [
  ...[
    '1',
    '1:2:99',
    '99&Format=XML',
    '9007199254740991:1:1',
    '::3:',
    '1:abc',
    'abc',
    '02',
    '1:2:3:4:5:6',
    '',
    '::',
  ].map((users) => `${P}&Users=${users}`),
  ...['ada:s%C3%B8ren', 'nobody', 'two+words:salt%26pepper', '%E8%8A%B1%E5%AD%90&Format=XML'].map(
    (users) => `${P}&${M}=username&Users=${users}`,
  ),
  ...['Username', 'CHAT', 'chat', 'talk', 'ID', 'nothing', ''].map(
    (method) => `${P}&${M}=${method}&Users=1:2:Ada:chat-1001`,
  ),
  ...['1', '2:3:4&Format=XML', '99', '70000', ''].map((apps) => `Event=AppLookup&Apps=${apps}`),
  ...['xml', 'Xml', 'json', 'YAML', ''].map((format) => `${P}&Users=1:99&Format=${format}`),
  ...['Event=', 'Event=Nope', 'Event', 'Event=profilelookup', 'event=AppLookup&Format=XML'].map(
    (event) => `${event}&Users=1:99&Apps=1`,
  ),
  `event=ProfileLookup&${M.toLowerCase()}=username&USERS=ada`,
  `${P}&Users=1&Users=2`,
  `${P}&Users=1&Format=JSON&Format=XML`,
  'Event=AppLookup&Event=ProfileLookup&Users=1&Apps=1',
  ...[P, `${P}&Users`, 'Event=AppLookup', 'Event=GroupLookup&Groups=1'],
]

/** Switches of the old service, and some of the settings that they mean, without LEGACY_. */
export type Dialect = readonly [Switches, string]

/** Those that `npm test` probes. */
export const dialects: readonly Dialect[] = [
  [
    { unknown: 'null', chatMethod: 'talk', anyCase: ['parameters'], orderBy: 'ksort' },
    'UNKNOWN=null; CHAT_METHOD=talk; ANY_CASE=parameters; ORDER=ksort; OTHER_METHOD=refuse-empty',
  ],
  [
    {
      unknown: 'list',
      pretty: true,
      xmlDeclaration: false,
      orderBy: 'id DESC',
      appsOrderBy: 'category DESC',
    },
    'UNKNOWN=[]; JSON_FLAGS=pretty; XML_STYLE=dom-node; XML_INDENT=2; ORDER=id desc; APPS_ORDER=Category desc',
  ],
  [
    { escaped: 'both', naming: 'id', looseIds: true, orderBy: 'username', otherEvent: 'missing' },
    'TEXT_ESCAPES=html; KEYS=id; LOOSE_IDS=numeric; ORDER=Username; OTHER_EVENT=ProfileLookup-if-missing',
  ],
  [
    { nothing: 'error', unknown: 'null', orderBy: 'display_name', otherMethod: 'id' },
    'EMPTY=refuse; UNKNOWN_TEXT=Nobody at all; UNKNOWN_STATUS=400; ORDER=DisplayName; OTHER_METHOD=id',
  ],
  [
    { repeated: 'refuse', noValues: 'refuse-empty', maxValues: 1, chatMethod: 'talk' },
    'REPEATED=refuse; NO_VALUES=refuse-empty; MAX_VALUES=1; CHAT_METHOD=talk',
  ],
  // No setting reproduces all mistakes of a service that refuses a list with an unknown id.
  [
    { unknown: 'error', maxValues: 37, otherEvent: 'missing', defaultEvent: 'AppLookup' },
    'UNKNOWN=refuse; UNKNOWN_TEXT=Nothing found for {value}; UNKNOWN_STATUS=400; MAX_VALUES=37; OTHER_EVENT=refuse',
  ],
]

export const moreDialects: readonly Dialect[] = [
  [
    { paths: ['/'] },
    'UNKNOWN=omit; ANY_CASE=none; PATHS=/; REPEATED=last; OTHER_FORMAT=json; NO_VALUES=refuse',
  ],
  [
    { escaped: 'json', naming: 'stored', caseSensitive: true, orderBy: 'id', repeated: 'refuse' },
    'TEXT_ESCAPES=html-json; KEYS=username; USERNAMES=exact; ORDER=id; REPEATED=refuse',
  ],
  [
    { nothing: 'null', orderBy: 'username COLLATE NOCASE DESC', otherFormat: 'refuse', noValues: 'empty' },
    'EMPTY=null; ORDER=Username nocase desc; OTHER_FORMAT=refuse; NO_VALUES=empty',
  ],
  [
    { nothing: 'silent', unknown: 'null', maxValues: 20, otherEvent: 'empty', repeated: 'first' },
    'EMPTY=none; UNKNOWN=null; MAX_VALUES=20; OTHER_EVENT=ProfileLookup-if-empty',
  ],
  [
    { errorStatus: '200', serviceName: 'Old_1', anyCase: ['parameters', 'events', 'methods', 'formats'] },
    'ERROR_STATUS=200; SERVICE_NAME=Old_1; ANY_CASE=parameters,events,methods,formats',
  ],
  [
    { anyCase: ['formats', 'methods'], otherFormat: 'xml', otherMethod: 'username', orderBy: 'join_date' },
    'ANY_CASE=methods,formats; OTHER_FORMAT=xml; OTHER_METHOD=username; ORDER=JoinDate',
  ],
  [
    { otherMethod: 'unknown', noValues: 'refuse-missing', unknown: 'null', orderBy: 'rank' },
    'OTHER_METHOD=unknown; NO_VALUES=refuse-missing; ORDER=Rank',
  ],
  [
    { otherEvent: 'any', defaultEvent: 'AppLookup', maxValues: 537, appsOrderBy: 'title' },
    'OTHER_EVENT=AppLookup; MAX_VALUES=537; APPS_ORDER=Title',
  ],
  [{ unknown: 'error', otherMethod: 'unknown', maxValues: 1 }, 'OTHER_METHOD=refuse-empty; MALFORMED=reject'],
]

const settingsIn = (text: string) =>
  Object.fromEntries(text.split('; ').map((part) => `LEGACY_${part}`.split('=')))

/** Probes a service with such switches, and compares a gateway with the settings that it printed. */
export async function expectDialect(
  place: Workplace,
  old: { readonly url: string },
  [switches, expected]: Dialect,
): Promise<void> {
  const { status, stdout, stderr, settings } = await probe(place, old.url, ['--chats', 'chat-1001,chat-1002'])
  expect(status, stderr).toBe(0)
  expect(settings).toMatchObject(settingsIn(expected))
  expect(stdout).toContain('\n# Works as the store (DATABASE_URL): yes.\n')
  expect(stdout).toContain('\n# Can be copied ("lookup import"): yes.\n')
  if (switches.unknown === 'error') return
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  const [callOld, callNew] = [old, gateway].map(({ url }) => createCall({ url, headers: {} }, calls))
  for (const query of queries) {
    const [was, is] = await Promise.all([callOld?.(query), callNew?.(query)])
    if (was === undefined || is === undefined) throw new Error('both respond')
    expect([query, compareReplies(was, is).differences]).toEqual([query, []])
  }
}
