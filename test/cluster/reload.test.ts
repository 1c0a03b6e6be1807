// SIGHUP: the gateway reads its settings, database and trusted documents again, and no request fails.
// restart.faults.test.ts has the same for workers.

import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { type Served, startServe } from '../kit/served.ts'
import { test } from '../kit/test.ts'
import { csvFile, csvRow, type Workplace } from '../kit/workplace.ts'

type Settings = Readonly<Record<string, string>>

/** Makes a database with a user of this name. @returns the settings for it */
async function makeNamed(place: Workplace, username: string): Promise<Settings> {
  const url = `sqlite:${join(place.path, `${username}.db`)}`
  place.write('users.csv', csvFile(csvRow(1, { username })))
  expect(await place.run(['import', 'users', 'users.csv', '--database', url])).toMatchObject({ status: 0 })
  return { DATABASE_URL: url }
}

async function start(settings: Settings, folder: string) {
  const served = await startServe(settings, folder)
  onTestFinished(served.stop)
  const lookup = async () => (await fetch(`${served.url}/?Event=ProfileLookup&Users=1`)).text()
  const who = async () => /"Username":"([^"]*)"/.exec(await lookup())?.[1]
  /** Reloads, and waits for one more line of a type. */
  async function reload(type: string, next?: Settings) {
    const lines = () => linesOf(served, type)
    const before = lines().length
    served.reload(next)
    await expect.poll(lines).toHaveLength(before + 1)
    return lines().at(-1)
  }
  return { ...served, lookup, who, reload }
}

const linesOf = ({ log }: Pick<Served, 'log'>, wanted: string) => log().filter(({ type }) => type === wanted)

test('lookups go to another database from then on, and none fails meanwhile', async ({ place }) => {
  const [one, two] = [await makeNamed(place, 'one'), await makeNamed(place, 'two')]
  const { who, reload } = await start(one, place.path)
  expect(await who()).toBe('one')
  for (const [settings, name] of [
    [two, 'two'],
    [one, 'one'],
  ] as const) {
    const load = Array.from({ length: 20 }, () => who())
    await reload('reloaded', settings)
    for (const found of await Promise.all(load)) expect(['one', 'two']).toContain(found)
    // Cached responses are of the new database, too.
    expect(await who()).toBe(name)
  }
})

test.for([
  ['is not there', { DATABASE_URL: 'sqlite:nowhere/missing.db' }, 'nowhere/missing.db'],
  ['is of another kind', { DATABASE_URL: 'http://127.0.0.1:9/' }, 'another kind'],
  [
    'cannot be a database',
    { DATABASE_URL: 'oracle://me:secret@db/x' },
    'DATABASE_URL (environment) cannot be',
  ],
  ['stands in a file that is not there', { DATABASE_URL: '', DATABASE_URL_FILE: 'secret.txt' }, 'secret.txt'],
] as const)('a database that %s leaves the one before, and the log says why', async (row, { place }) => {
  const [, settings, reason] = row
  const one = await makeNamed(place, 'one')
  const served = await start(one, place.path)
  const line = await served.reload('reload-failed', settings)
  expect(line).toMatchObject({ level: 'error', reason: expect.stringContaining(reason) })
  expect(JSON.stringify(line)).not.toContain('me:secret')
  expect(await served.who()).toBe('one')
  await served.reload('reloaded', one)
  expect(linesOf(served, 'stopping')).toEqual([])
})

describe('trusted documents', () => {
  const one = { one: '{ __typename }' }
  const two = { ...one, two: '{ users(values: "1") { id } }' }
  const wrong = { ...two, wrong: '{ nothing }' }
  const settingsIn = ({ path }: Workplace) => ({
    ...{ GRAPHQL_DOCUMENTS: join(path, 'documents.json'), GRAPHQL_ONLY_DOCUMENTS: 'on' },
  })
  const save = (place: Workplace, documents: Settings) =>
    place.write('documents.json', JSON.stringify(documents, null, 2))

  test('are read again, and a manifest that cannot be used leaves the one before', async ({ place }) => {
    await makeNamed(place, 'lookup')
    save(place, one)
    const served = await start(settingsIn(place), place.path)
    const answers = async (id: string) => {
      const headers = { accept: 'application/graphql-response+json' }
      return (await fetch(`${served.url}/graphql?documentId=${id}`, { headers })).status === 200
    }
    await expect.poll(() => linesOf(served, 'documents-read')).toHaveLength(1)
    expect([await answers('one'), await answers('two')]).toEqual([true, false])
    save(place, two)
    expect(await served.reload('documents-read')).toMatchObject({ level: 'info', count: 2 })
    expect([await answers('one'), await answers('two')]).toEqual([true, true])
    save(place, wrong)
    expect(await served.reload('reload-failed')).toMatchObject({
      reason: expect.stringContaining('documents.json: the document "wrong": Cannot query field "nothing"'),
    })
    expect([await answers('one'), await answers('two')]).toEqual([true, true])
  })

  test.for([
    ['is not there', () => {}, /\n {2}.*documents\.json: ENOENT: .*\n$/],
    [
      'does not fit the schema',
      (place) => save(place, wrong),
      /documents\.json: the document "wrong": .*\n$/,
    ],
  ] as const satisfies readonly (readonly [string, (place: Workplace) => void, RegExp])[])(
    'keep the gateway from starting if the manifest %s, without a stack',
    async ([, make, message], { place }) => {
      make(place)
      const env = { ...settingsIn(place), PORT: '0', ADMIN_PORT: '0' }
      const { status, stderr } = await place.run(['serve'], { env })
      expect(status).toBe(2)
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/^\s+at /m)
    },
  )
})
