// `lookup replay` names the choice of the dialect that removes a cause of differences.

import { DatabaseSync } from 'node:sqlite'
import { describe, expect } from 'vitest'
import { type Given, settingsOf } from '../../kit/dialect.ts'
import type { Switches } from '../../kit/old-service.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { pageOf, replayIn, reportOf, startBoth, startPair, stateFile } from './support.ts'

const users = 'Event=ProfileLookup&Users'
const apps = 'Event=AppLookup&Apps'
const by = (method: string) => `Event=ProfileLookup&MethodOfAccessingUserInformation=${method}&Users`
const logOf = (queries: readonly string[]) => queries.map((query) => `/?${query}\n`).join('')

/** The choices for each cause, such as `type Id: json.ids="text"`. */
const choicesIn = (place: Workplace) =>
  reportOf(place)
    .groups.map(({ kind, field, remedies }) => {
      const all = remedies.map(({ choice, value }) => `${choice}=${JSON.stringify(value)}`)
      return `${kind} ${field}: ${all.join(' ')}`
    })
    .toSorted()

test.for<readonly [queries: readonly string[], old: Switches, causes: readonly string[]]>([
  [
    [`${users}=1:99`, `${by('chat')}=chat-1001:chat-99`],
    { unknown: 'null' },
    ['missing entry: missing.users.json="null"', 'missing entry: missing.users.json="null"'],
  ],
  [
    [`${users}=1:99&Format=XML`],
    { unknown: 'null' },
    [String.raw`missing entry: missing.users.xml="<Data Value=\"{value}\"/>"`],
  ],
  [[`${apps}=1:99`], { unknown: 'error' }, ['refused answer: read.missing="refuse" errors.status=400']],
  [
    ['Event=ProfileLookup', 'Event=Z&Users=1'],
    { errorStatus: '200' },
    Array(2).fill('status answer: errors.status=200'),
  ],
  [
    [`${apps}=99`, `${apps}=98`],
    { nothing: 'error' },
    [
      String.raw`refused answer: nothing.apps.json={"status":400,"type":"application/json","body":"{\"error\":\"Nobody at all\"}"}`,
    ],
  ],
  [
    [`${users}=`],
    { noValues: 'empty' },
    ['refused answer: errors.replies.emptyUsers.json={"status":200,"type":"application/json","body":"{}"}'],
  ],
  [
    [`${users}=01`, `${users}=2.0`, `${users}=3e0`],
    { looseIds: true },
    ['refused answer: read.ids="numeric"'],
  ],
  [[`${by('username')}=ADA`], { caseSensitive: true }, ['extra entry: read.usernames="exact"']],
  [
    [`${by('username')}=ada`],
    { naming: 'id' },
    ['extra entry: entries.usernames="id"', 'missing entry: entries.usernames="id"'],
  ],
  [[`${users}=3:1:2:5:4:6&Format=XML`], { orderBy: 'username' }, ['order entry: entries.users="username"']],
  [
    [`${users}=3:1:99:2&Format=XML`],
    { orderBy: 'id', unknown: 'null' },
    [
      String.raw`missing entry: missing.users.xml="<Data Value=\"{value}\"/>"`,
      'order entry: entries.users="id"',
    ],
  ],
  [
    [`${users}=1:2:3:4:5:6:7:8:9:10:11:12`],
    { numericCheck: true },
    ['type Username: json.numericTexts="number"'],
  ],
  [
    [`${by('username')}=salt%26pepper&Format=XML`],
    { escaped: 'both' },
    ['value DisplayName: xml.html="escaped"', 'value Username: xml.html="escaped"'],
  ],
  [
    [`${apps}=1`, `${users}=1&Format=XML`],
    { serviceName: 'Acme' },
    ['extra ServiceDownloadLink', 'missing AcmeDownloadLink', 'root answer'].map(
      (cause) => `${cause}: serviceName="Acme"`,
    ),
  ],
  [
    ['Event=profilelookup&users=1'],
    { anyCase: ['parameters', 'events'] },
    ['refused answer: read.names="any case" read.events="any case"'],
  ],
  [
    [`${users}=1&Users=1:99`],
    { repeated: 'last', unknown: 'null' },
    ['refused answer: missing.users.json="null" read.repeated="last"'],
  ],
  // Data, and a limit.
  [[`${users}=1:2`, `${users}=3&Format=XML`], { changing: ['Rank'] }, ['value Rank: ', 'value Rank: ']],
  [
    [`${users}=1:2:99`, `${users}=98`],
    { changing: ['Rank'], unknown: 'null' },
    ['missing entry: missing.users.json="null"', 'value Rank: '],
  ],
  [[`${users}=1:2:3`], { maxValues: 2 }, ['refused answer: ']],
])('%j of an old service with %j', async ([queries, old, causes], { place }) => {
  await replayIn(place, await startBoth(old))(logOf(queries))
  expect(choicesIn(place)).toEqual(causes)
})

describe('the dialect of the gateway', () => {
  const nextSteps = (stdout: string) =>
    /^Next steps\n((?: +.*\n)*)/m
      .exec(stdout)?.[1]
      ?.trimEnd()
      .split('\n')
      .map((line) => line.trim())
  const log = logOf([`${users}=1:99`])
  const given: Given = { 'missing.users.json': '[]', serviceName: 'Acme' }

  test('is that of LEGACY_DIALECT', async ({ place }) => {
    const replay = replayIn(place, await startBoth({ unknown: 'null', serviceName: 'Acme' }, given))
    const { LEGACY_DIALECT = '' } = settingsOf(given)
    const { stdout } = await replay(log, [], { env: { LEGACY_DIALECT } })
    expect(choicesIn(place)).toEqual(['value entry: missing.users.json="null"'])
    expect(reportOf(place).dialect).toBe(LEGACY_DIALECT)
    const hint = 'Choice that removes it: missing.users.json = "null" (in the file of LEGACY_DIALECT)'
    expect(stdout).toContain(`  ${hint}\n`)
    expect(pageOf(place)).toContain(hint.replaceAll('"', '&quot;'))
    for (const shown of [stdout, pageOf(place)])
      expect(shown).toContain(`Choices are for a gateway with LEGACY_DIALECT=${LEGACY_DIALECT}.`)
    expect(nextSteps(stdout)).toEqual([
      `Change the named choices in ${LEGACY_DIALECT}, restart the gateway, and replay again.`,
    ])
  })

  test('is the default otherwise; no choice is named if the gateway has another', async ({ place }) => {
    const replay = replayIn(place, await startBoth({ unknown: 'null' }, given))
    const { stdout } = await replay(log)
    expect(choicesIn(place)).toEqual(['value entry: '])
    expect(reportOf(place).dialect).toBeNull()
    expect(stdout).toContain('Choices are for a gateway without LEGACY_DIALECT.')
    expect(nextSteps(stdout)).toEqual(['Write a dialect that removes differences:', expect.any(String)])
  })

  test('removes no difference in the data', async ({ place }) => {
    const both = await startBoth({ unknown: 'null', serviceName: 'Acme', changing: ['Rank'] }, given)
    const { LEGACY_DIALECT = '' } = settingsOf(given)
    const { stdout } = await replayIn(place, both)(logOf([`${users}=1`]), [], { env: { LEGACY_DIALECT } })
    expect(nextSteps(stdout)).toEqual([
      expect.stringMatching(/^Differences without a choice are mostly in the/),
    ])
  })

  test('must be readable', async ({ place }) => {
    const replay = replayIn(place, await startBoth({}))
    const outcome = await replay(log, [], { env: { LEGACY_DIALECT: 'none.json' } })
    expect(outcome).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('none.json') })
  })
})

describe('examples', () => {
  test('are kept in the state file; a file of an earlier version has none', async ({ place }) => {
    const replay = replayIn(place, await startBoth({ unknown: 'null' }))
    const log = logOf([`${users}=1:99`, `${users}=1:99`, `${users}=98`, `${apps}=99`])
    const limited = () => replay(log, ['--limit', '1'])
    await limited()
    await limited()
    const all = Array(2).fill('missing entry: missing.users.json="null"')
    expect(choicesIn(place)).toEqual(['missing entry: missing.apps.json="null"', all[0]])
    const database = new DatabaseSync(`${place.path}/${stateFile}`)
    database.exec('DROP TABLE examples')
    database.close()
    expect((await limited()).stderr).toContain('Resuming')
    expect(reportOf(place).complete).toBe(true)
    expect(choicesIn(place)).toEqual(['missing entry: ', all[0]])
  })

  test('of more than 64 KiB are not kept', async ({ place }) => {
    const entry = (id: number | string) =>
      `"1":{"Id":${id},"Username":"ada","DisplayName":"A","Rank":1,"JoinDate":1,"IsConfirmed":true,"Banned":false}`
    const replay = async (size: number) => {
      const blank = ' '.repeat(size)
      const pair = await startPair(
        () => `{${entry('"1"')}}${blank}`,
        () => `{${entry(1)}}`,
      )
      await replayIn(place, pair)(logOf([`${users}=1`]))
      return choicesIn(place)
    }
    expect(await replay(60_000)).toEqual(['type Id: json.ids="text"'])
    expect(await replay(70_000)).toEqual(['type Id: '])
  })

  test('put no row into the report', async ({ place }) => {
    const odd = { Person: 'Ada', Mail: 'ada@example.org', Street: 'Main' }
    const pair = await startPair(
      (target) =>
        target.includes('Apps') ? `{"7":${JSON.stringify(odd)}}` : '{"5":{"Id":5,"Username":"Ada"}}',
      () => '{}',
    )
    await replayIn(place, pair)(logOf([`${users}=5`, `${apps}=7`]))
    expect(reportOf(place).groups.map(({ remedies }) => remedies)).toEqual([[], []])
  })
})
