// PHP and Python write the bytes that bytes.jsonl records (vitest -u writes the file anew), and the same bytes
// as a gateway for generated texts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { type Rows, rows, writeRows } from '../differential/rows.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { need } from '../kit/programs.ts'
import { test } from '../kit/test.ts'
import { ask } from './support/ask.ts'
import { byteFile, byteRows, type Lookup, targetOf } from './support/bytes.ts'
import { caseData, caseFile } from './support/cases.ts'
import { readLines } from './support/lines.ts'
import { runPhp } from './support/programs.ts'
import { text } from './support/texts.ts'
import { type Task, write } from './support/writers.ts'

need('python3')

const caseRows: Rows = { users: readLines(caseData.users), apps: readLines(caseData.apps) }
const byLibraries = byteRows.filter(({ by }) => by !== undefined)

test('the recorded bytes are those of PHP and Python', async () => {
  const bodies = write(byLibraries, caseRows)
  const lines = byteRows.map((row) => {
    const response = bodies[byLibraries.indexOf(row)] ?? row.response
    return `${JSON.stringify({ ...row, response })}\n`
  })
  await expect(lines.join('')).toMatchFileSnapshot(byteFile)
})

test('php test/php/generate.php writes the cases that are there', () => {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const file = join(path, 'cases.jsonl')
  runPhp('generate.php', [file], '')
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(caseFile, 'utf8'))
})

/** All values of each habit that the recorded rows have. */
const known = (habit: string) => [
  ...new Set(byLibraries.flatMap(({ how }) => (typeof how?.[habit] === 'string' ? how[habit] : []))),
]
const numbers = {
  number: {},
  string: { ids: 'text', numbers: 'text' },
  'string,Id=number': { numbers: 'text' },
}
const booleans = { boolean: 'boolean', integer: 'number', string: 'text', strval: 'text or empty' } as const
const html = { none: 'plain', html: 'escaped', compat: 'escaped, but apostrophes' } as const
/** The choices of flags of json_encode. */
const flags = {
  'unescaped-unicode': { letters: 'plain' },
  'unescaped-slashes': { slashes: 'plain' },
  pretty: { indent: '    ', colon: ': ' },
  newline: { end: '\n' },
  'hex-tag': { tags: 'ESCAPED' },
  'hex-amp': { ampersands: 'escaped' },
  'hex-apos': { apostrophes: 'escaped' },
  'hex-quot': { quotes: 'escaped' },
  'numeric-check': { numericTexts: 'number' },
}
const keysOf = <Name extends string>(names: Readonly<Record<Name, unknown>>) => Object.keys(names) as Name[]
const habits = fc.record({
  unknown: fc.constantFrom(...known('unknown')),
  empty: fc.constantFrom('{}', '[]', 'null'),
  numbers: fc.constantFrom(...keysOf(numbers)),
  textEscapes: fc.constantFrom(...keysOf(html)),
  confirmed: fc.constantFrom(...keysOf(booleans)),
  banned: fc.constantFrom(...keysOf(booleans)),
  text: fc.constantFrom('There is no "{value}"', 'No {value}'),
  flags: fc.subarray(keysOf(flags)),
})

const ABSENT = '987654321'

type Habits = typeof habits extends fc.Arbitrary<infer H> ? H : never

/** Dialects of habits in any combination; PHP says what it has for a missing entry, as a probe records it. */
function tasksOf(all: readonly Habits[]): readonly Task[] {
  const ways = all.map(({ confirmed, banned, ...how }) => ({ ...how, booleans: `${confirmed},${banned}` }))
  const lookups = [{ users: [ABSENT] }, { apps: [ABSENT] }]
  const bodies = write(
    ways.flatMap((how) =>
      lookups.map((lookup) => ({ by: 'json_encode', how, dialect: { missing: {} }, ...lookup })),
    ),
    caseRows,
  )
  const missing = bodies.map((body) => {
    const [, entry = ''] = new RegExp(`^\\{\\s*"${ABSENT}": ?([^]*?)\\s*\\}\\n?$`).exec(body) ?? []
    return { json: entry.replaceAll(ABSENT, '{value}') }
  })
  return ways.map((how, at) => {
    const { confirmed = 'boolean', banned = 'boolean' } = all[at] ?? {}
    const [users, apps] = missing.slice(2 * at)
    return { by: 'json_encode', how, dialect: dialectOf({ ...how, confirmed, banned }, { users, apps }) }
  })
}

function dialectOf(how: Habits, missing: object) {
  const body = how.flags.includes('newline') ? 'null\n' : 'null'
  const nothing = { json: { status: 200, type: 'application/json; charset=utf-8', body } }
  return {
    json: Object.assign(
      {
        html: html[how.textEscapes],
        confirmed: booleans[how.confirmed],
        banned: booleans[how.banned],
        lists: how.empty === '[]' ? 'names from 0' : 'objects',
      },
      numbers[how.numbers],
      ...how.flags.map((flag) => flags[flag]),
    ),
    ...(how.unknown === 'omit'
      ? how.empty === 'null' && { nothing: { users: nothing, apps: nothing } }
      : { missing }),
  }
}

const isPython = ({ by }: Task) => by === 'minidom' || by === 'ElementTree'
/** Python's libraries write these characters each in a way of its own. */
const clean = (one: string) => one.replace(/[\t\r\n"]/g, '_')

/** Values that are in the data, and others. */
function lookupsIn({ users, apps }: Rows, { by }: Task): fc.Arbitrary<Lookup> {
  const any = text.map((one) => one.replace(/[:\0]/g, '')).filter((one) => one !== '')
  const list = (values: readonly string[], others: fc.Arbitrary<string>) =>
    fc.array(fc.oneof(fc.constantFrom(...values), others), { minLength: 1, maxLength: 6 })
  const ids = fc.constantFrom('0', '1', '2', '007', '10')
  return fc.oneof(
    list(
      users.map(({ username }) => username),
      by === 'ElementTree' || by === 'minidom' ? any.map(clean) : any,
    ).map((values) => ({ users: values })),
    list(['0', '1', '2'], ids).map((values) => ({ ids: [...new Set(values)] })),
    list(
      apps.map(({ id }) => String(id)),
      ids,
    ).map((values) => ({ apps: values })),
  )
}

test.for(['PHP', 'Python'])(
  'the bytes of generated texts are those of %s',
  async (language, { withSettings }) => {
    const seed = seedOf(`legacy/bytes, ${language}`)
    const { path, remove } = temporaryFolder()
    onTestFinished(remove)
    const [made = caseRows] = fc.sample(rows, { seed, numRuns: 1 })
    const data =
      language === 'PHP'
        ? made
        : (JSON.parse(JSON.stringify(made), (_, one) => (typeof one === 'string' ? clean(one) : one)) as Rows)
    const ways = byLibraries.filter((row) => isPython(row) === (language === 'Python'))
    const all = [
      ...ways,
      ...(language === 'PHP' ? tasksOf(fc.sample(habits, { seed, numRuns: runs(40, 400) })) : []),
    ]
    const tasks = all.flatMap(({ by, how, dialect }, at): (Task & { by?: string })[] => {
      const way = { dialect, ...(by && { by }), ...(how && { how }) }
      const lookups = fc.sample(lookupsIn(data, way), { seed: seed + at, numRuns: runs(5, 50) })
      return lookups.map((lookup) => ({ ...way, ...lookup }))
    })
    const files = writeRows(path, data)
    const bodies = new Map(write(tasks, data).map((body, at) => [tasks[at], body]))
    for (const group of Map.groupBy(tasks, ({ dialect }) => JSON.stringify(dialect)).values()) {
      const { url } = await withSettings(group[0]?.dialect, files)
      for (const task of group) {
        const target = targetOf(task, task.by?.startsWith('json') ? 'JSON' : 'XML')
        const { body } = await ask(url, target)
        const about = `SEED=${seed} ${JSON.stringify(task.dialect)} ${target}`
        expect(Buffer.from(body, 'latin1').toString(), about).toBe(bodies.get(task))
      }
    }
  },
)
