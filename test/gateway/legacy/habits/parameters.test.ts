// How parameters are read, as the settings have it: over a real socket, in both formats, and in /explain.

import { afterEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../../kit/gateway.ts'
import { ask, contentTypes, type FormatName, inFormat } from '../support/ask.ts'
import { refusalIn, usersIn } from '../support/reply.ts'

let gateway: Gateway | undefined
afterEach(() => gateway?.close())

async function speak(settings: Readonly<Record<string, string>>) {
  gateway = await startGateway(settings)
  const { url } = gateway
  return {
    lookUp: (query: string, format: FormatName = 'JSON') => ask(url, inFormat(query, format)),
    /** What /explain says of a request: the sentences, and the parameters that it knows. */
    explain: async (query: string) => {
      const { dialect, request } = await (await fetch(`${url}/explain?${query}`)).json()
      return {
        said: dialect.map((one: Record<string, string>) => `${one.setting}=${one.value}: ${one.effect}`),
        known: request.parameters.flatMap((one: { known: boolean; name: string }) =>
          one.known ? one.name : [],
        ),
        event: request.event,
        format: request.format,
      }
    },
    browse: (query: string) => ask(url, `/?${query}`, { headers: { accept: 'text/html' } }),
  }
}

const M = 'MethodOfAccessingUserInformation'
const P = 'Event=ProfileLookup'

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  const empty = format === 'XML' ? '<?xml version="1.0"?>\n<ServiceAPI/>\n' : '{}'

  test('LEGACY_ANY_CASE=parameters reads names in any case', async () => {
    const { lookUp } = await speak({ LEGACY_ANY_CASE: 'parameters' })
    const query = `event=ProfileLookup&${M.toUpperCase()}=username&uSERS=ada`
    expect(usersIn(await lookUp(query, format), format)).toEqual(['ada → 1'])
    expect(refusalIn(await lookUp(`${P}&Users=1&users=2`, format), format).code).toBe('RepeatedParameter')
    expect(refusalIn(await lookUp('event=profilelookup&users=1', format), format).code).toBe('UnknownEvent')
    expect(refusalIn(await lookUp('%45VENT=AppLookup&Users=1', format), format).message).toMatch(/\bApps\b/)
  })

  test('LEGACY_ANY_CASE=events,methods reads their values in any case', async () => {
    const { lookUp } = await speak({ LEGACY_ANY_CASE: 'events,methods', LEGACY_CHAT_METHOD: 'ID' })
    const by = (method: string, users: string) =>
      lookUp(`Event=PROFILELOOKUP&${M}=${method}&Users=${users}`, format)
    expect(usersIn(await by('UserName', 'ada'), format)).toEqual(['ada → 1'])
    // The exact one comes first; then those that the specification names.
    expect(usersIn(await by('ID', 'chat-1001'), format)).toEqual(['chat-1001 → 1'])
    expect(usersIn(await by('Id', '1'), format)).toEqual(['1 → 1'])
    expect(refusalIn(await by('email', '1'), format).code).toBe('UnknownMethod')
    expect(refusalIn(await lookUp('event=ProfileLookup&Users=1', format), format).code).toBe(
      'MissingParameter',
    )
    expect(refusalIn(await lookUp(`Event=${'ProfileLookup'.repeat(9)}`, format), format).code).toBe(
      'UnknownEvent',
    )
  })

  test.for<[repeated: string, found: string]>([
    ['last', '2 → 2'],
    ['first', '1 → 1'],
  ])('LEGACY_REPEATED=%s', async ([repeated, found]) => {
    const { lookUp } = await speak({ LEGACY_REPEATED: repeated })
    expect(usersIn(await lookUp(`${P}&Users=1&Users=2`, format), format)).toEqual([found])
    const [first, last] = ['AppLookup', 'ProfileLookup']
    const { body } = await lookUp(`Event=${first}&Event=${last}&Users=1&Apps=1`, format)
    expect(body).toContain(repeated === 'last' ? 'Username' : 'Title')
  })

  test.for<[value: string, found: string[]]>([
    ['id', ['1 → 1', '99 → null']],
    ['username', ['1 → null', '99 → null']],
    ['unknown', ['1 → null', '99 → null']],
  ])('LEGACY_OTHER_METHOD=%s', async ([value, found]) => {
    const { lookUp } = await speak({ LEGACY_OTHER_METHOD: value, LEGACY_UNKNOWN: 'null' })
    const by = (method: string, users: string) => lookUp(`${P}&${M}=${method}&Users=${users}`, format)
    expect(usersIn(await by('nothing', '1:99'), format)).toEqual(found)
    const named = value === 'id' ? null : [`ada → ${value === 'username' ? 1 : null}`]
    if (named === null) expect(refusalIn(await by('nothing', 'ada'), format).code).toBe('MalformedIdentifier')
    else expect(usersIn(await by('nothing', 'ada'), format)).toEqual(named)
    expect(usersIn(await by('username', 'ada'), format)).toEqual(['ada → 1'])
  })

  test.for<[value: string, found: string[] | null]>([
    ['refuse', ['1 → 1']],
    ['refuse-empty', null],
    ['id', ['1 → 1']],
    ['username', []],
    ['unknown', []],
  ])('an empty method with LEGACY_OTHER_METHOD=%s', async ([value, found]) => {
    const { lookUp } = await speak({ LEGACY_OTHER_METHOD: value })
    const reply = await lookUp(`${P}&${M}=&Users=1`, format)
    if (found === null) expect(refusalIn(reply, format).code).toBe('UnknownMethod')
    else expect(usersIn(reply, format)).toEqual(found)
    expect(usersIn(await lookUp(`${P}&Users=1`, format), format)).toEqual(['1 → 1'])
  })

  const P1 = `Users=1&Apps=1`
  test.for<[value: string, missing: string, empty: string, unknown: string]>([
    ['refuse', 'MissingParameter', 'MissingParameter', 'UnknownEvent'],
    ['ProfileLookup', 'Username', 'Username', 'Username'],
    ['AppLookup', 'Title', 'Title', 'Title'],
    ['ProfileLookup-if-missing', 'Username', 'UnknownEvent', 'UnknownEvent'],
    ['ProfileLookup-if-empty', 'Username', 'Username', 'UnknownEvent'],
  ])('LEGACY_OTHER_EVENT=%s', async ([value, missing, empty, unknown]) => {
    const { lookUp } = await speak({ LEGACY_OTHER_EVENT: value })
    expect((await lookUp(P1, format)).body).toContain(missing)
    expect((await lookUp(`Event=&${P1}`, format)).body).toContain(empty)
    expect((await lookUp(`Event=Nope&${P1}`, format)).body).toContain(unknown)
    expect((await lookUp(`Event=profilelookup&${P1}`, format)).body).toContain(unknown)
    expect((await lookUp(`Event=AppLookup&${P1}`, format)).body).toContain('Title')
    expect((await lookUp(`Event=ProfileLookup&${P1}`, format)).body).toContain('Username')
  })

  test('a missing Event and missing apps have words of their own', async () => {
    const { lookUp } = await speak({
      LEGACY_ERROR_TEXTS: 'MissingParameter=No users;MissingApps=No apps;MissingEvent=No event',
      LEGACY_ERROR_STATUSES: 'MissingEvent=404;MissingParameter=422',
      LEGACY_ERROR_CODES: 'MissingApps=no_apps;MissingParameter=nothing',
    })
    const said = async (query: string) => {
      const reply = await lookUp(query, format)
      return [reply.status, refusalIn(reply, format).code, refusalIn(reply, format).message]
    }
    expect(await said(P)).toEqual([422, 'nothing', 'No users'])
    expect(await said('Users=1')).toEqual([404, 'nothing', 'No event'])
    expect(await said('Event=AppLookup')).toEqual([422, 'no_apps', 'No apps'])
  })

  test.for<[value: string, answered: string]>([
    ['refuse', ''],
    ['refuse-empty', '&Users=::'],
    ['refuse-missing', '&Users=:: &Users= &Users'],
    ['empty', '&Users=:: &Users= &Users none'],
  ])('LEGACY_NO_VALUES=%s', async ([value, answered]) => {
    const { lookUp } = await speak({ LEGACY_NO_VALUES: value, LEGACY_UNKNOWN: 'null' })
    for (const list of ['&Users=::', '&Users=', '&Users', 'none']) {
      const reply = await lookUp(`${P}${list === 'none' ? '' : list}`, format)
      if (answered.split(' ').includes(list)) expect(reply).toMatchObject({ status: 200, body: empty })
      else expect(refusalIn(reply, format).code).toBe('MissingParameter')
    }
    expect(refusalIn(await lookUp('Users=1', format), format).code).toBe('MissingParameter')
    expect((await lookUp('Event=AppLookup&Apps=:', format)).status).toBe(value === 'refuse' ? 400 : 200)
  })
})

test.for<[settings: Readonly<Record<string, string>>, formats: Readonly<Record<string, FormatName | null>>]>([
  [{}, { xml: null, json: 'JSON', '': 'JSON', YAML: null }],
  [{ LEGACY_ANY_CASE: 'formats' }, { xml: 'XML', json: 'JSON', '': 'JSON', YAML: null }],
  [{ LEGACY_OTHER_FORMAT: 'json' }, { xml: 'JSON', XML: 'XML', json: 'JSON', YAML: 'JSON' }],
  [
    { LEGACY_OTHER_FORMAT: 'json', LEGACY_ANY_CASE: 'formats' },
    { Xml: 'XML', YAML: 'JSON' },
  ],
  [{ LEGACY_OTHER_FORMAT: 'xml' }, { JSON: 'JSON', json: 'XML', xml: 'XML', '': 'XML', YAML: 'XML' }],
  [
    { LEGACY_OTHER_FORMAT: 'xml', LEGACY_ANY_CASE: 'formats' },
    { json: 'JSON', YAML: 'XML' },
  ],
])('formats with %j', async ([settings, formats], { expect }) => {
  const { lookUp } = await speak(settings)
  for (const [value, format] of Object.entries(formats)) {
    const { status, headers } = await lookUp(`${P}&Users=1&Format=${value}`)
    expect([value, status]).toEqual([value, format === null ? 400 : 200])
    if (format !== null) expect(headers['content-type']).toBe(contentTypes[format])
    // A refusal is in the format that was asked for.
    const refused = await lookUp(`${P}&Users=x&Format=${value}`)
    expect(refused.status).toBe(400)
    expect(refused.headers['content-type']).toBe(contentTypes[format ?? 'JSON'])
  }
  expect((await lookUp(P)).headers['content-type']).toBe(contentTypes.JSON)
})

test('a refusal reads the last Format, too, and a name in any case', async () => {
  const { lookUp } = await speak({ LEGACY_REPEATED: 'last', LEGACY_ANY_CASE: 'parameters' })
  const typeOf = async (query: string) => (await lookUp(query)).headers['content-type']
  expect(await typeOf('Event=Nope&Format=JSON&format=XML&%')).toBe(contentTypes.XML)
  expect(await typeOf('Event=Nope&Format=XML&FORMAT=JSON')).toBe(contentTypes.JSON)
})

test('a browser that names an event in another case asks for a lookup', async () => {
  const { browse } = await speak({ LEGACY_ANY_CASE: 'parameters' })
  expect((await browse('event=ProfileLookup&users=1')).headers['content-type']).toBe(contentTypes.JSON)
  expect((await browse('events=x')).headers['content-type']).toMatch(/html/)
})

test('a browser that names no event asks for a lookup, where that means one', async () => {
  const { browse } = await speak({ LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' })
  expect((await browse('Users=1')).headers['content-type']).toBe(contentTypes.JSON)
  expect((await browse('utm_source=mail')).headers['content-type']).toMatch(/html/)
})

test.for<[settings: Readonly<Record<string, string>>, query: string, said: readonly string[]]>([
  [
    { LEGACY_ANY_CASE: 'parameters,formats', LEGACY_MAX_AGE: '1' },
    'event=AppLookup&apps=1&Format=xml&Nope=1',
    ['LEGACY_ANY_CASE=parameters,formats: event is read as Event, apps is read as Apps, xml is read as XML.'],
  ],
  [{ LEGACY_ANY_CASE: 'events' }, `${P}&Users=1`, []],
  [
    { LEGACY_REPEATED: 'last' },
    `${P}&Users=1&Users=2`,
    ['LEGACY_REPEATED=last: Of several values of Users, the last is read.'],
  ],
  [
    { LEGACY_OTHER_FORMAT: 'json' },
    `${P}&Users=1&Format=Xml`,
    ['LEGACY_OTHER_FORMAT=json: Another Format means JSON.'],
  ],
  [{ LEGACY_OTHER_FORMAT: 'json' }, `${P}&Users=1&Format=json`, []],
  [
    { LEGACY_OTHER_FORMAT: 'xml' },
    `${P}&Users=1&Format=json`,
    ['LEGACY_OTHER_FORMAT=xml: Another Format means XML.'],
  ],
  [
    { LEGACY_OTHER_METHOD: 'id' },
    `${P}&${M}=x&Users=1`,
    ['LEGACY_OTHER_METHOD=id: An unknown method means id.'],
  ],
  [{ LEGACY_OTHER_METHOD: 'id' }, `${P}&${M}=username&Users=ada`, []],
  [{ LEGACY_OTHER_METHOD: 'id' }, `${P}&${M}=&Users=1`, []],
  [
    { LEGACY_OTHER_METHOD: 'unknown' },
    `${P}&${M}=&Users=1`,
    ['LEGACY_OTHER_METHOD=unknown: With an unknown method, nothing matches.'],
  ],
  [
    { LEGACY_NO_VALUES: 'empty' },
    P,
    ['LEGACY_NO_VALUES=empty: A list without values is answered without entries.'],
  ],
  [
    { LEGACY_NO_VALUES: 'refuse-empty' },
    P,
    ['LEGACY_NO_VALUES=refuse-empty: A list without values is refused.'],
  ],
  [{}, 'Users=1', []],
  [
    { LEGACY_OTHER_EVENT: 'ProfileLookup' },
    'Event=x&Users=1',
    ['LEGACY_OTHER_EVENT=ProfileLookup: An unknown Event means ProfileLookup.'],
  ],
  [
    { LEGACY_OTHER_EVENT: 'ProfileLookup-if-empty' },
    'Event=&Users=1',
    ['LEGACY_OTHER_EVENT=ProfileLookup-if-empty: An empty Event means ProfileLookup.'],
  ],
  [
    { LEGACY_OTHER_EVENT: 'ProfileLookup-if-missing' },
    'Event=&Users=1',
    ['LEGACY_OTHER_EVENT=ProfileLookup-if-missing: An empty Event is refused.'],
  ],
  [
    { LEGACY_OTHER_EVENT: 'AppLookup' },
    'Apps=',
    ['LEGACY_OTHER_EVENT=AppLookup: A missing Event means AppLookup.'],
  ],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup' }, `${P}&Users=1`, []],
  [{ LEGACY_OTHER_EVENT: 'ProfileLookup', LEGACY_LIST: 'colon' }, 'Users=%', []],
])('/explain with %j says of %s', async ([settings, query, expected], { expect }) => {
  const { explain } = await speak(settings)
  const habits = /^LEGACY_(?:ANY_CASE|REPEATED|OTHER_|NO_VALUES)/
  expect((await explain(query)).said.filter((one: string) => habits.test(one))).toEqual(expected)
})

test('/explain knows parameters in any case, and the event of what is refused', async () => {
  const { explain } = await speak({ LEGACY_ANY_CASE: 'parameters,events,formats' })
  expect(await explain('EVENT=profilelookup&users=x&FORMAT=xml&user=1')).toMatchObject({
    known: ['EVENT', 'users', 'FORMAT'],
    event: 'ProfileLookup',
    format: 'XML',
  })
})
