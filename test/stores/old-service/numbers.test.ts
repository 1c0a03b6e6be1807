// Texts that PHP's JSON_NUMERIC_CHECK made numbers of, where the old service is the store.

import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openOldServiceStore } from '../../../src/stores/old-service/store.ts'
import { caseData } from '../../gateway/legacy/support/cases.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { summaryOf } from './support.ts'

function openWith(url: string, flags: Readonly<Record<string, string>>) {
  const { database } = readConfig({ flags: { DATABASE_URL: url, ...flags } })
  if (database.kind !== 'old-service') throw new Error('not an old service')
  return openOldServiceStore(database, () => {})
}

describe.skipIf(!hasProgram('php'))('of a service in PHP', () => {
  let old: OldService
  let place: Workplace
  beforeAll(async () => {
    old = await startOldService({ numericCheck: true }, { data: caseData })
  })
  afterAll(() => old.close())
  beforeEach(() => {
    place = makeWorkplace()
  })
  afterEach(() => place.remove())

  test('they are read as texts where LEGACY_JSON_FLAGS says so', async () => {
    const store = openWith(old.url, { LEGACY_JSON_FLAGS: 'numeric-check' })
    expect(await store.findUsers('ID', ['1', '8', '11'])).toMatchObject([
      { username: 'Ada' },
      { username: '10' },
      // It is 007 in the database, which the answer does not tell.
      { username: '7' },
    ])
    expect(summaryOf(await store.findUsers('USERNAME', ['9', '10', '007', '8', 'x']))).toEqual([
      9,
      8,
      11,
      10,
      null,
    ])
  })

  test('what PHP wrote is written the same, by id and by username', async () => {
    const settings = { LEGACY_JSON_FLAGS: 'numeric-check', DATABASE_URL: old.url }
    const gateway = await startGatewayOver(settings)
    onTestFinished(gateway.close)
    for (const query of ['Users=1:8:9:10:11', 'MethodOfAccessingUserInformation=username&Users=9:007:10']) {
      const target = `?Event=ProfileLookup&${query}`
      const text = async (url: string) => (await fetch(url)).text()
      expect(await text(`${gateway.url}/${target}`)).toBe(await text(old.url + target))
    }
  })

  test.each(['1', '8'])('a probe that is told of user %s says so', async (user) => {
    const { stdout } = await place.run(['probe', old.url, '--users', user, '--rate', '1000'])
    expect(stdout).toContain('\nLEGACY_JSON_FLAGS=numeric-check\n')
    expect(stdout).toContain('Works as the store (DATABASE_URL): yes.')
    expect(stdout).toContain('Can be copied ("lookup import"): no. Strings that look like numbers')
  })

  test('they are of a wrong type otherwise', async () => {
    const store = openWith(old.url, {})
    expect(summaryOf(await store.findUsers('ID', ['1', '8']))).toEqual([1, 'Unavailable'])
  })

  test('an import names them, and leaves them out if wanted', async () => {
    const args = ['import', 'users', old.url, '--ids', '6-11', '--rate', '1000', '--database', 'sqlite:x.db']
    const { status, stderr } = await place.run([...args])
    expect(status).toBe(1)
    expect(stderr).toContain('id 11: Username cannot be 7: it must be a text')
    const skipping = await place.run([...args, '--skip-invalid', 'rejects.jsonl'])
    expect(skipping).toMatchObject({ status: 0 })
    const rejects = readFileSync(`${place.path}/rejects.jsonl`, 'utf8').trimEnd().split('\n')
    expect(rejects.map((line) => JSON.parse(line).id)).toEqual(['8', '9', '10', '11'])
  })
})

test.for<[written: string, text: string]>([
  ['2077', '2077'],
  // Longer than what a double holds.
  ['9223372036854775807', '9223372036854775807'],
  ['9007199254740993', '9007199254740993'],
  ['1.2345678901234567e+19', '1.2345678901234567e+19'],
  ['3.14', '3.14'],
  ['-0', '-0.0'],
])('%s is read as %s', async ([written, text]) => {
  const { url, close } = await startAnswering((_, response) => {
    response.end(JSON.stringify({ 1: { ...userOf('1'), DisplayName: 'HERE' } }).replace('"HERE"', written))
  })
  onTestFinished(close)
  const store = openWith(url, { LEGACY_JSON_FLAGS: 'numeric-check' })
  expect(await store.findUsers('ID', ['1'])).toMatchObject([{ id: 1, displayName: text }])
})

test.each([
  [
    { LEGACY_UNKNOWN: '{"none":{"of":7,"who":"{message}"}}', LEGACY_UNKNOWN_TEXT: '{value}' },
    { none: { of: 7, who: 99 } },
  ],
  [{ LEGACY_UNKNOWN: 'error', LEGACY_UNKNOWN_TEXT: '404' }, { Error: 404 }],
])('what stands for nothing may be a number: %j', async (settings, entry) => {
  const { url, close } = await startAnswering((_, response) => {
    response.end(JSON.stringify({ 1: userOf('1'), 99: entry }))
  })
  onTestFinished(close)
  const store = openWith(url, { LEGACY_JSON_FLAGS: 'numeric-check', ...settings })
  expect(summaryOf(await store.findUsers('ID', ['1', '99']))).toEqual([1, null])
})

test('so may be a refusal', async () => {
  const { url, close } = await startAnswering((_, response) => {
    response.writeHead(404).end('{"Error":{"Code":1,"Message":404}}')
  })
  onTestFinished(close)
  const settings = { LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: '404', LEGACY_UNKNOWN_STATUS: '404' }
  const store = openWith(url, { LEGACY_JSON_FLAGS: 'numeric-check', ...settings })
  expect(summaryOf(await store.findUsers('ID', ['99']))).toEqual([null])
})
