// `lookup probe` finds how an old service in PHP reads its parameters, and where it answers; a gateway with
// the settings that it advises gives the same answers, which `lookup replay` proves.

import { parseEnv } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { advisedIn } from '../../kit/advised.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { startGateway } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { type OldService, type Switches, startOldService } from '../../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const M = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'

/** What clients get wrong, or write otherwise. */
const queries = [
  `event=ProfileLookup&${M.toLowerCase()}=username&USERS=ada`,
  'Event=profilelookup&Users=1:99',
  'Event=APPLOOKUP&Apps=1',
  'event=applookup&apps=1&format=xml',
  ...['Username', 'CHAT', 'ID', 'nothing', ''].flatMap((method) =>
    ['1:2', 'Ada', 'chat-1001'].map((users) => `${P}&${M}=${method}&Users=${users}`),
  ),
  ...['xml', 'Xml', 'XML', 'JSON', 'json', 'YAML', ''].map((format) => `${P}&Users=1:99&Format=${format}`),
  `${P}&Users=1&Users=2`,
  `${P}&Users=1&Format=JSON&Format=XML`,
  'Event=AppLookup&Event=ProfileLookup&Users=1&Apps=1',
  ...['&Users=', '', '&Users=::', '&Users'].flatMap((list) => [`${P}${list}`, `${P}${list}&Format=XML`]),
  'Event=AppLookup',
  'Event=AppLookup&Apps=',
  ...['', '&Format=XML'].flatMap((format) =>
    ['Event=', 'Event=Nope', 'Event'].map((event) => `${event}&Users=1:99&Apps=1${format}`),
  ),
]

describe.skipIf(!hasProgram('php'))('an old service in PHP', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())

  async function probe(switches: Switches, url = old.url) {
    old.switchTo(switches)
    const outcome = await place.run(['probe', url, '--rate', '1000', '--chats', 'chat-1001'])
    expect(outcome).toMatchObject({ status: 0 })
    return advisedIn(outcome.stdout)
  }

  test.each<[Switches, Readonly<Record<string, string>>]>([
    [
      { paths: ['/'] },
      {
        LEGACY_ANY_CASE: 'none',
        LEGACY_REPEATED: 'last',
        LEGACY_OTHER_FORMAT: 'json',
        LEGACY_OTHER_METHOD: 'refuse-empty',
        LEGACY_NO_VALUES: 'refuse',
        LEGACY_PATHS: '/',
      },
    ],
    [{ anyCase: ['parameters'] }, { LEGACY_ANY_CASE: 'parameters', LEGACY_PATHS: '/,/index.php' }],
    [
      { anyCase: ['parameters', 'events', 'methods', 'formats'], unknown: 'null' },
      { LEGACY_ANY_CASE: 'parameters,events,methods,formats', LEGACY_OTHER_FORMAT: 'json' },
    ],
    [
      { repeated: 'first', otherFormat: 'refuse', noValues: 'empty' },
      { LEGACY_REPEATED: 'first', LEGACY_OTHER_FORMAT: 'refuse', LEGACY_NO_VALUES: 'empty' },
    ],
    [
      { repeated: 'refuse', otherFormat: 'xml', otherMethod: 'id', noValues: 'refuse-empty' },
      {
        LEGACY_REPEATED: 'refuse',
        LEGACY_OTHER_FORMAT: 'xml',
        LEGACY_OTHER_METHOD: 'id',
        LEGACY_ANY_CASE: 'none',
      },
    ],
    [
      { otherFormat: 'xml', anyCase: ['formats', 'methods'], otherMethod: 'username', errorStatus: '200' },
      { LEGACY_OTHER_FORMAT: 'xml', LEGACY_OTHER_METHOD: 'username', LEGACY_ANY_CASE: 'methods,formats' },
    ],
    [
      { otherMethod: 'unknown', noValues: 'refuse-missing', unknown: 'null' },
      { LEGACY_OTHER_METHOD: 'unknown', LEGACY_NO_VALUES: 'refuse-missing', LEGACY_UNKNOWN: 'null' },
    ],
    [{ otherEvent: 'missing' }, { LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' }],
    [{ otherEvent: 'empty', repeated: 'first' }, { LEGACY_OTHER_EVENT: 'ProfileLookup-if-empty' }],
    [{ otherEvent: 'any' }, { LEGACY_OTHER_EVENT: 'ProfileLookup', LEGACY_ANY_CASE: 'none' }],
    [
      { otherEvent: 'any', anyCase: ['events'] },
      { LEGACY_OTHER_EVENT: 'ProfileLookup', LEGACY_ANY_CASE: 'events' },
    ],
    [{ otherEvent: 'any', defaultEvent: 'AppLookup' }, { LEGACY_OTHER_EVENT: 'AppLookup' }],
    // No value is like it.
    [
      { otherEvent: 'missing', defaultEvent: 'AppLookup', unknown: 'error' },
      { LEGACY_OTHER_EVENT: 'refuse' },
    ],
    [{ otherMethod: 'unknown', unknown: 'error', maxValues: 1 }, { LEGACY_OTHER_METHOD: 'refuse-empty' }],
  ])('%j', async (switches, expected) => {
    const settings = await probe(switches)
    expect(settings).toMatchObject(expected)
    // What becomes of unknown values is another matter.
    if (switches.unknown === 'error') return
    const gateway = await startGateway(
      Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith('LEGACY_'))),
    )
    onTestFinished(gateway.close)
    place.write('access.log', queries.map((query) => `/?${query}`).join('\n'))
    const to = ['--old', old.url, '--new', `${gateway.url}/`, '--rate', '1000']
    const { stdout, status } = await place.run(['replay', 'access.log', ...to])
    expect(stdout).toContain(`The responses to all ${queries.length} distinct requests mean the same.\n`)
    expect(status).toBe(0)
  })

  test.each<[paths: readonly string[], probed: string, advised: string]>([
    [['/', '/index.php'], '', '/,/index.php'],
    [['/api/lookup.php'], 'api/lookup.php', '/,/api/lookup.php'],
    [['/api/lookup.php', '/api/', '/api/index.php'], 'api/', '/,/api/,/api/index.php'],
    [['/api'], 'api', '/,/api'],
    [['/graphql', '/graphql/'], 'graphql', '/,/graphql/'],
  ])('one that answers at %j', async (paths, probed, advised) => {
    expect((await probe({ paths }, `${old.url}${probed}`)).LEGACY_PATHS).toBe(advised)
  })
})

test('where both of two lists are read, no setting is advised for it', async () => {
  const { url, close } = await startAnswering((request, response) => {
    const lists = new URL(request.url ?? '', 'http://x').searchParams.getAll('Users')
    const ids = lists.flatMap((list) => list.split(':')).filter((id) => /^[1-9]$/.test(id))
    response.end(JSON.stringify(Object.fromEntries(ids.map((id) => [id, userOf(id)]))))
  })
  onTestFinished(close)
  const { stdout, status } = await place.run(['probe', url, '--apps', '', '--rate', '1000'])
  expect(status).toBe(0)
  expect(parseEnv(stdout)).toMatchObject({
    LEGACY_OTHER_EVENT: 'ProfileLookup',
    LEGACY_OTHER_FORMAT: 'json',
  })
  expect(parseEnv(stdout)).not.toHaveProperty('LEGACY_REPEATED')
})
