// `lookup import users URL` from a service that refuses a whole list where it has not all of it
// (LEGACY_UNKNOWN=refuse), as an operator runs it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const LAST = 120
/** In single ids, in stretches, and at both ends. */
const isGap = (id: number) => id < 3 || id % 7 === 0 || (id > 40 && id < 65) || id > LAST - 2
const there = Array.from({ length: LAST }, (_, at) => at + 1).filter((id) => !isGap(id))
const FAULTY = 30

interface Call {
  readonly ids: readonly string[]
  readonly began: number
}

async function startRefusing(write: (missing: string) => readonly [status: number, body: string]) {
  const calls: Call[] = []
  let [underWay, mostUnderWay] = [0, 0]
  const service = await startAnswering(({ url = '' }, response) => {
    const ids = (new URL(url, 'http://x').searchParams.get('Users') ?? '').split(':')
    calls.push({ ids, began: performance.now() })
    mostUnderWay = Math.max(mostUnderWay, ++underWay)
    response.on('close', () => underWay--)
    const missing = ids.find((id) => isGap(Number(id)))
    const entries = ids.map((id) => [id, { ...userOf(id), ...(Number(id) === FAULTY && { Rank: 'high' }) }])
    const [status, body] =
      missing === undefined ? ([200, JSON.stringify(Object.fromEntries(entries))] as const) : write(missing)
    response.writeHead(status).end(body)
  })
  onTestFinished(service.close)
  return { url: service.url, calls, mostUnderWay: () => mostUnderWay }
}

const rejects = ['--skip-invalid', 'rejects.jsonl', '--database', 'sqlite:lookup.db']
const refusing = { LEGACY_UNKNOWN: 'refuse', DATABASE_MAX_VALUES: '16' }
/** Milliseconds between two calls at 50 a second, less what timers and the clock leave open. */
const APART_MS = 1000 / 50 - 5

test.each<[string, Readonly<Record<string, string>>, (missing: string) => readonly [number, string]]>([
  ['a status', { LEGACY_UNKNOWN_STATUS: '404' }, () => [404, '{"Error":"Not found"}']],
  [
    'the id in its text',
    { LEGACY_UNKNOWN_TEXT: 'No user {value}' },
    (id) => [200, `{"error":{"code":7,"message":"No user ${id}"}}`],
  ],
  [
    'a template',
    { LEGACY_ERROR_BODY: '<error text="{message}"/>', LEGACY_UNKNOWN_TEXT: 'None' },
    () => [400, '<error text="None"/>'],
  ],
])(
  'that says so by %s: all are copied, at its pace, and after Ctrl-C from there on',
  async (_, said, write) => {
    const { url, calls, mostUnderWay } = await startRefusing(write)
    const args = ['import', 'users', url, '--ids', `1-${LAST}`, '--rate', '50', ...rejects]
    const env = { ...refusing, ...said }
    const child = startLookup(args, { cwd: place.path, env })
    const ended = outcomeOf(child)
    await expect.poll(() => calls.length, { timeout: 20_000 }).toBeGreaterThan(25)
    child.kill('SIGINT')
    const first = await ended
    expect({ status: first.status, stdout: first.stdout }).toEqual({ status: 'SIGINT', stdout: '' })
    expect(first.stderr).toContain(
      'Interrupted. Nothing was changed. Progress is in lookup-import-users.state',
    )
    const before = calls.length
    const settled = readFileSync(join(place.path, 'lookup-import-users.state.rows'), 'utf8')
      .split('\n')
      .filter((line) => line !== '').length
    expect(settled).toBeGreaterThan(0)

    const { status, stdout, stderr } = await place.run(args, { env })
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Resuming from lookup-import-users.state: '),
    })
    expect(stdout).toMatch(
      new RegExp(
        `^Imported ${there.length - 1} users .*\\nSkipped 1 invalid row\\. The reasons are in rejects\\.jsonl\\.\\n$`,
      ),
    )
    expect(await place.ids()).toEqual(there.filter((id) => id !== FAULTY))
    expect(JSON.parse(readFileSync(join(place.path, 'rejects.jsonl'), 'utf8'))).toMatchObject({
      id: String(FAULTY),
      field: 'Rank',
      value: '"high"',
    })
    expect(existsSync(join(place.path, 'lookup-import-users.state'))).toBe(false)
    // What was settled before is not asked for again, and no id takes more than two calls.
    const [asked] = calls[before]?.ids ?? []
    expect(Number(asked)).toBeGreaterThan(there[settled - 2] ?? 0)
    expect(calls.length).toBeLessThan(2 * LAST)
    expect(mostUnderWay()).toBe(1)
    const gaps = calls.slice(1, before).map(({ began }, at) => began - (calls[at]?.began ?? 0))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    expect(mean).toBeGreaterThan(APART_MS)
  },
  60_000,
)

test('the same without the setting names the ids, and says what shows the setting', async () => {
  const { url } = await startRefusing(() => [404, '{"Error":"Not found"}'])
  const { status, stdout, stderr } = await place.run([
    'import',
    'users',
    url,
    '--ids',
    '3-8',
    '--rate',
    '1000',
    '--database',
    'sqlite:lookup.db',
  ])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('id 7: the old service answers with status 404')
  expect(stderr).toContain(`Run "lookup probe ${url}" to see how this service differs.`)
}, 30_000)
