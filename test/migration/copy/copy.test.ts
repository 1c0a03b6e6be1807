// `lookup import users URL --ids`: copies an old service, and resumes what was interrupted.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import { createEagerClock } from '../../kit/clock.ts'
import { fileWith } from '../../kit/dialect.ts'
import { sample } from '../../kit/gateway.ts'
import { test } from '../../kit/test.ts'
import { copyIn, entriesOf, idsIn, left, skipping, startTwin, startUsers, state } from './support.ts'

test('copies all rows, except for chat identifiers, which no response has', async ({ place }) => {
  const old = await startTwin({ maxValues: 5, unknown: 'null', serviceName: 'Acme' })
  const env = { DATABASE_MAX_VALUES: '5', LEGACY_DIALECT: fileWith({ serviceName: 'Acme' }) }
  const users = await copyIn(place, old.url)('1-20,9007199254740991', [], { env })
  expect(users).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^Imported 14 users in \d+\.\d s\.\nThe old service has 14 of the 21 ids\. The highest is 9007199254740991\.\n$/,
    ),
  })
  expect(users.stderr).toContain('21 ids, 5 per call, 5 calls per second, one at a time')
  expect(users.stderr).toContain('chatId stays empty')
  const apps = await copyIn(place, old.url, 'apps')('1-10,70000', [], { env })
  expect(apps.stdout).toMatch(
    /^Imported 7 apps .*\nThe old service has 7 of the 11 ids\. The highest is 70000\./,
  )
  const few = await copyIn(place, old.url)('1-3,50', ['--replace'], { env })
  expect(few.stdout).toMatch(
    /\nThe old service has 3 of the 4 ids\. The highest is 3\. If there are users above 50, import them, too: --ids 51-NUMBER\.\n$/,
  )
  await copyIn(place, old.url)('1-20,9007199254740991', ['--replace'], { env })
  expect(left(place)).toEqual([])
  for (const name of ['users', 'apps'] as const) {
    const { stdout } = await place.run(['export', name, '--database', 'sqlite:lookup.db'])
    expect(stdout).toBe(
      readFileSync(sample[name], 'utf8').replace(/"chatId":(?:"[^"]*"|null)/g, '"chatId":null'),
    )
  }
})

test('shorter lists are sent to a service that refuses long ones', async ({ place }) => {
  const old = await startTwin({ maxValues: 3 })
  expect((await copyIn(place, old.url)('1-20')).stdout).toMatch(/^Imported 13 users/)
})

describe('an interrupted copy', () => {
  test.for(['SIGINT', 'SIGTERM'] as const)('resumes after %s', async (signal, { place }) => {
    const controller = new AbortController()
    const { url, asked } = await startUsers((ids) => {
      if (asked.length === 7) controller.abort(signal)
      return JSON.stringify(entriesOf(ids))
    })
    const copy = copyIn(place, url)
    const env = { DATABASE_MAX_VALUES: '1' }
    const first = await copy('1-60', [], { env, signal: controller.signal })
    expect(first).toMatchObject({ status: signal, stdout: '' })
    expect(first.stderr).toContain(`Interrupted. Nothing was changed. Progress is in ${state}`)
    const rest = await copy('1-60', [], { env })
    expect(rest.stdout).toMatch(/^Imported 60 users/)
    expect(rest.stderr).toContain(`Resuming from ${state}: `)
    expect(asked.length).toBeLessThanOrEqual(61)
    expect(await place.ids()).toHaveLength(60)
  })

  test('resumes after a failure, with the same ids only', async ({ place }) => {
    let failing = true
    const { url, asked } = await startUsers((ids) =>
      failing && ids.includes('5') ? [400, ''] : JSON.stringify(entriesOf(ids)),
    )
    const copy = copyIn(place, url)
    const env = { DATABASE_MAX_VALUES: '2' }
    const first = await copy('1-8', [], { env })
    expect(first).toMatchObject({ status: 1, stdout: '' })
    expect(first.stderr).toContain('id 5: the old service answers with status 400\n')
    expect(first.stderr).toContain(`Progress is in ${state}. To resume, run the same command again.`)
    expect(left(place)).toEqual([state])
    const other = await copy('1-9', [], { env })
    expect(other.stderr).toContain(`${state} belongs to another import.`)

    failing = false
    const before = asked.length
    const second = await copy('1-8', [], { env })
    expect(second.stderr).toContain(`Resuming from ${state}: 4 ids are done.`)
    expect(second.stdout).toMatch(/^Imported 8 users/)
    expect(asked.slice(before).flatMap(idsIn)).toEqual(['5', '6', '7', '8'])
    expect(await place.ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(left(place)).toEqual([])
  })

  test('keeps what was skipped, and needs --skip-invalid again', async ({ place }) => {
    let isDown = true
    const { url, asked } = await startUsers((ids) => {
      if (isDown && asked.length > 1) return [500, 'down']
      const entries = { ...entriesOf(ids), ...(ids.includes('2') && { 2: { ...userOf('2'), Rank: 'x' } }) }
      return JSON.stringify(entries)
    })
    const copy = copyIn(place, url)
    const env = { DATABASE_MAX_VALUES: '2' }
    expect((await copy('1-4', skipping, { env })).stderr).toContain('status 500')
    isDown = false
    expect((await copy('1-4', [], { env })).stderr).toBe(
      `1 id was skipped so far. Add --skip-invalid FILE again, or delete ${state} to start over.\n`,
    )
    const second = await copy('1-4', skipping, { env })
    expect(second.stderr).toContain('2 ids are done')
    expect(second.stdout).toMatch(/^Imported 3 users .*\nSkipped 1 invalid row/)
    expect(left(place)).toEqual([])
  })
})

describe('a service in trouble', () => {
  test('gets the same call four times, after 1, 5 and 15 s', async ({ place }) => {
    const { url, asked } = await startUsers(() => [503, 'down'])
    const clock = createEagerClock()
    const { stderr } = await copyIn(place, url)('1-100', [], { clock })
    expect(stderr).toContain('the old service answers with status 503. Nothing was changed.')
    expect(asked).toHaveLength(4)
    expect(clock.waited.filter((wait) => wait >= 1_000)).toEqual([1_000, 5_000, 15_000])
    expect(left(place)).toEqual([])
  })

  test('that truncates lists is no service with fewer users', async ({ place }) => {
    const { url } = await startUsers((ids) => JSON.stringify(entriesOf(ids.slice(0, 4))))
    const copy = copyIn(place, url)
    const { status, stderr } = await copy('1-20')
    expect(status).toBe(1)
    expect(stderr).toContain('it returned 4 of 20 ids. Set DATABASE_MAX_VALUES=4, or lower.')
    const again = await copy('1-20', [], { env: { DATABASE_MAX_VALUES: '4' } })
    expect(again.stdout).toMatch(/^Imported 20 users/)
  })

  test('without any of the users leaves the database alone', async ({ place }) => {
    let hasUsers = false
    const { url } = await startUsers((ids) => (hasUsers ? JSON.stringify(entriesOf(ids)) : '{}'))
    const copy = copyIn(place, url)
    const { status, stderr } = await copy('1-5', ['--replace'])
    expect(status).toBe(1)
    expect(stderr).toContain('the old service has no users with these ids. Nothing was changed.')
    // The same command finds users that have registered since.
    hasUsers = true
    expect((await copy('1-5', ['--replace'])).stdout).toMatch(/^Imported 5 users/)
  })
})

describe('a state file', () => {
  test('is never a file that was there before', async ({ place }) => {
    const { url, asked } = await startUsers((ids) => JSON.stringify(entriesOf(ids)))
    await place.run(['migrate', '--database', 'sqlite:lookup.db'])
    const before = readFileSync(join(place.path, 'lookup.db'))
    place.write('text', 'mine')
    for (const [file, message] of [
      ['lookup.db', 'lookup.db is not a state file of this program.'],
      ['text', 'text is not a readable state file.'],
      ['no/where', 'Cannot use the state file no/where: unable to open database file.'],
    ] as const) {
      const outcome = await copyIn(place, url)('1-3', ['--state', file])
      expect(outcome).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(message) })
    }
    expect(readFileSync(join(place.path, 'lookup.db'))).toEqual(before)
    expect(readFileSync(join(place.path, 'text'), 'utf8')).toBe('mine')
    expect(asked).toEqual([])
  })

  test('is for one copy at a time', async ({ place }) => {
    // A command in this process changes the folder of the process.
    const [file, database] = [join(place.path, state), `sqlite:${join(place.path, 'lookup.db')}`]
    const copy = () => copyIn(place, url)('1-20', ['--state', file, '--database', database])
    const others: Promise<unknown>[] = []
    const { url } = await startUsers((ids) => {
      if (others.length === 0) others.push(copy())
      return JSON.stringify(entriesOf(ids))
    })
    expect((await copy()).stdout).toMatch(/^Imported 20 users/)
    const stderr = `The state file ${file} is in use: the same command is already running.\n`
    expect(await Promise.all(others)).toEqual([{ status: 1, stdout: '', stderr }])
  })
})

test.for([
  [['http://a.example'], 'Add the ids to copy, such as --ids 1-200000.\n'],
  [['http://a.example', '--ids=3-1'], 'It must be ids and ranges'],
  [['http://a.example/?Event=', '--ids', '1'], "error: '***' is invalid for argument 'file'."],
  [
    ['http://a.example', '--ids', '1', '--database', 'http://b.example'],
    'This command needs a database (sqlite:PATH, postgres://',
  ],
] as const)('a mistake: %j', async ([args, message], { place }) => {
  const outcome = await place.run(['import', 'users', ...args])
  expect(outcome).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining(message) })
})
