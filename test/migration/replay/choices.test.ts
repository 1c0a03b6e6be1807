// `lookup replay` names the choice of the dialect that removes a cause of differences.

import { expect } from 'vitest'
import { type Given, settingsOf } from '../../kit/dialect.ts'
import type { Switches } from '../../kit/old-service.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import { pageOf, replayIn, reportOf, startBoth, startPair } from './support.ts'

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
  [[`${apps}=1:99`], { unknown: 'error' }, ['refused answer: read.missing="refuse" errors.status=400']],
  [
    [`${users}=`],
    { noValues: 'empty' },
    ['refused answer: errors.replies.emptyUsers.json={"status":200,"type":"application/json","body":"{}"}'],
  ],
  [
    ['Event=profilelookup&users=1'],
    { anyCase: ['parameters', 'events'] },
    ['refused answer: read.names="any case" read.events="any case"'],
  ],
  // Data, and a limit.
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

interface DialectCase {
  readonly name: string
  readonly isNamed: boolean
  readonly given: Given
  readonly old: Switches
  readonly cause: string
  readonly step: RegExp
}

test.for<DialectCase>([
  {
    ...{ name: 'that of LEGACY_DIALECT', isNamed: true },
    given: { 'missing.users.json': '[]', serviceName: 'Acme' },
    ...{ old: { unknown: 'null', serviceName: 'Acme' }, cause: 'value entry: missing.users.json="null"' },
    step: /^ {2}Change the named choices in .*json, restart/m,
  },
  {
    ...{ name: 'the default; no choice is named if the gateway has another', isNamed: false },
    ...{ given: { 'missing.users.json': '[]' }, old: { unknown: 'null' }, cause: 'value entry: ' },
    step: /^ {2}Write a dialect that removes differences:\n {4}lookup probe http.*old\.json$/m,
  },
  {
    ...{ name: 'no reason for differences in the data', isNamed: true },
    ...{ given: { serviceName: 'Acme' }, old: { changing: ['Rank'] }, cause: 'value Rank: ' },
    step: /^ {2}Differences without a choice are mostly in the data/m,
  },
])('the dialect of the gateway is $name', async ({ isNamed, given, old, cause, step }, { place }) => {
  const replay = replayIn(place, await startBoth(old, given))
  const { LEGACY_DIALECT = '' } = settingsOf(given)
  const { stdout } = await replay(logOf([`${users}=1:99`]), [], { env: isNamed ? { LEGACY_DIALECT } : {} })
  expect(choicesIn(place)).toEqual([cause])
  expect(reportOf(place).dialect).toBe(isNamed ? LEGACY_DIALECT : null)
  expect(stdout).toMatch(step)
  const where = isNamed ? `with LEGACY_DIALECT=${LEGACY_DIALECT}` : 'without LEGACY_DIALECT'
  for (const shown of [stdout, pageOf(place)]) expect(shown).toContain(`Choices are for a gateway ${where}.`)
})

test('examples are kept in the state file, if they have 64 KiB at most', async ({ place }) => {
  const entry = (id: number | string) =>
    `"1":{"Id":${id},"Username":"ada","DisplayName":"A","Rank":1,"JoinDate":1,"IsConfirmed":true,"Banned":false}`
  const pair = await startPair(
    (target) => `{${entry('"1"')}}${' '.repeat(target.includes('XML') ? 70_000 : 60_000)}`,
    () => `{${entry(1)}}`,
  )
  const replay = replayIn(place, pair)
  const log = `${logOf([`${users}=1`, `${users}=1&Format=XML`])}/?${users}=1\n`
  await replay(log, ['--limit', '1'])
  await replay(log, ['--limit', '1'])
  expect(choicesIn(place)).toEqual(['type Id: ', 'type Id: json.ids="text"'])
})
