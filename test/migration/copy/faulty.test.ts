// `lookup import users URL` from services that refuse lists, or with entries that cannot be read.

import { describe, expect } from 'vitest'
import { userOf } from '../../kit/answering.ts'
import { fileWith } from '../../kit/dialect.ts'
import { test } from '../../kit/test.ts'
import { copyIn, entriesOf, idsIn, rejects, skipping, startTwin, startUsers, state } from './support.ts'

describe('entries that cannot be read', () => {
  const entries = {
    ...entriesOf(['1', '2', '3', '4', '5', '6', '7', '8']),
    2: { ...userOf('2'), Rank: null },
    3: { ...userOf('3'), JoinDate: `\u202e2001-01-01${'x'.repeat(5_000)}` },
    4: { ...userOf('4'), Banned: undefined },
    5: 'gone',
    6: { ...userOf('6'), Rank: 2 ** 31 },
    // Only the database can notice a name that is taken.
    7: { ...userOf('7'), Username: 'U1', DisplayName: null },
    8: { ...userOf('8'), Username: 'a:b' },
  }

  test('are named', async ({ place }) => {
    const { url } = await startUsers(() => JSON.stringify(entries))
    const { status, stderr } = await copyIn(place, url)('1-8')
    expect(status).toBe(1)
    for (const line of [
      'Import failed: 6 ids cannot be copied. Nothing was changed.\n',
      '  id 2: Rank null, expected an integer\n',
      `  id 3: JoinDate a string, expected an integer: "\ufffd2001-01-01${'x'.repeat(48)}…\n`,
      '  id 4: Banned missing, expected a boolean\n',
      '  id 5: an entry that has none of the fields: "gone"\n',
      '  id 6: rank cannot be "2147483648": it must be a 32-bit integer\n',
      '  id 8: username cannot be "a:b": it must be ',
      `Import the valid rows with --skip-invalid FILE. Run "lookup probe ${url}" to see how this service differs.`,
    ])
      expect(stderr).toContain(line)
  })

  test('are skipped with --skip-invalid', async ({ place }) => {
    const { url } = await startUsers(() => JSON.stringify(entries))
    const { status, stdout } = await copyIn(place, url)('1-8', skipping)
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^Imported 1 user .*\nSkipped 7 invalid rows\. The reasons are in rejects\.jsonl\.\nThe old service has all 8 ids/,
    )
    expect(await place.ids()).toEqual([1])
    const written = rejects(place)
    expect(written.map(({ id, field }) => [id, field])).toEqual([
      ...[
        ['2', 'Rank'],
        ['3', 'JoinDate'],
        ['4', 'Banned'],
        ['5', undefined],
        ['6', 'rank'],
      ],
      ...[
        ['8', 'username'],
        ['7', undefined],
      ],
    ])
    expect(written[0]).toEqual({ id: '2', field: 'Rank', problem: expect.any(String), value: 'null' })
    expect(written[1].value).toHaveLength(1001)
    expect(written[6]).toMatchObject({ problem: expect.stringMatching(/^another user has this username/) })
  })

  test('because the service cannot write them are one of a list', async ({ place }) => {
    const old = await startTwin({ broken: 2 })
    const { status, stderr } = await copyIn(place, old.url)('1-20')
    expect(status).toBe(1)
    expect(stderr).toContain('\n  id 2: the old service does not answer with JSON\n')
    const { stdout } = await copyIn(place, old.url)('1-20', skipping)
    expect(stdout).toMatch(/^Imported 12 users .*\nSkipped 1 invalid row\./)
    expect(rejects(place)).toEqual([{ id: '2', problem: 'the old service does not answer with JSON' }])
  })
})

describe('a service that refuses a list with an unknown id', () => {
  const LAST = 120
  /** Single ids, ranges, and both ends. */
  const isGap = (id: number) => id < 3 || id % 7 === 0 || (id > 40 && id < 65) || id > LAST - 2
  const existing = Array.from({ length: LAST }, (_, at) => at + 1).filter((id) => !isGap(id))

  test.for<[what: string, status: number, body: string, most: number]>([
    ['without the id', 404, '{"Error":"Not found"}', 2 * LAST],
    ['with the id', 200, '{"error":{"code":7,"message":"No user {value}"}}', LAST],
  ])('%s is copied in few calls, and resumed', async ([, status, body, most], { place }) => {
    const interruption = new AbortController()
    const { url, asked } = await startUsers((ids) => {
      if (asked.length === 30) interruption.abort('SIGINT')
      const missing = ids.find((id) => isGap(Number(id)))
      return missing === undefined
        ? JSON.stringify(entriesOf(ids))
        : [status, body.replace('{value}', missing)]
    })
    const reply = { status, type: 'application/json', body }
    const dialect = { read: { missing: 'refuse' }, errors: { replies: { missingUser: { json: reply } } } }
    const env = { LEGACY_DIALECT: fileWith(dialect), DATABASE_MAX_VALUES: '16' }
    const copy = copyIn(place, url)
    const first = await copy(`1-${LAST}`, [], { env, signal: interruption.signal })
    expect(first).toMatchObject({ status: 'SIGINT', stdout: '' })
    const before = asked.length
    const second = await copy(`1-${LAST}`, [], { env })
    expect(second).toMatchObject({ status: 0, stderr: expect.stringContaining(`Resuming from ${state}: `) })
    expect(await place.ids()).toEqual(existing)
    expect(Number(idsIn(asked[before] ?? '')[0])).toBeGreaterThan(10)
    expect(asked.length).toBeLessThan(most)
  })

  test('without the setting: the id is named', async ({ place }) => {
    const { url } = await startUsers((ids) =>
      ids.some((id) => isGap(Number(id))) ? [404, '{"Error":"Not found"}'] : JSON.stringify(entriesOf(ids)),
    )
    const { status, stderr } = await copyIn(place, url)('3-8')
    expect(status).toBe(1)
    expect(stderr).toContain('id 7: the old service answers with status 404')
    expect(stderr).toContain(`Run "lookup probe ${url}" to see how this service differs.`)
  })
})
