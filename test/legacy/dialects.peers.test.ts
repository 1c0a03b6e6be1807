// PHP sends the same bytes as the gateway for each value of each choice, and for each pair of values.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { choices } from '../../src/legacy/choices.ts'
import { type Dialect, defaultDialect, errorKinds } from '../../src/legacy/dialect.ts'
import { withValue } from '../../src/legacy/dialect-places.ts'
import { createFacade } from '../../src/legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../src/legacy/known-rows.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { type Combination, coverPairs } from './support/covering.ts'
import { anyQuery, MAX_VALUES, queriesFor, rowsWith } from './support/dialect-rows.ts'
import { runPhp } from './support/programs.ts'

/** Values for which PHP has no function. */
const leftOut: Readonly<Record<string, RegExp>> = {
  // Objects of JavaScript have this order: arrangement.test.ts.
  'json.entries': /JavaScript/,
  // That order, and a collation of MySQL: collations.engines.test.ts.
  'entries.users': /JavaScript|no accents/,
  'entries.apps': /JavaScript|no accents/,
}

/** Paths of choices with their values. The first value is the default. */
const factors: readonly (readonly [path: string, values: readonly unknown[]])[] = [
  ...choices.map(({ path: [group, name], values }) => {
    const path = `${group}.${name}`
    return [path, values.filter((value) => !leftOut[path]?.test(String(value)))] as const
  }),
  // No choice, but other choices show in the entries of values that match nothing.
  ['missing', ['left out', 'shown']],
]

/** A recorded response to each kind of wrong request. PHP makes its own of the text and the value. */
const replies = Object.fromEntries(
  errorKinds.map((kind, at) => {
    const status = 400 + at
    const json = { status, type: 'application/json', body: `{"Refused":"${kind} {value}"}` }
    return [kind, { json, xml: { status, type: 'text/xml', body: `<Refused>${kind} {value}</Refused>` } }]
  }),
)

function dialectOf(combination: Combination): Dialect {
  let dialect: Dialect = { ...defaultDialect, errors: { ...defaultDialect.errors, replies } }
  for (const [at, [path, values]] of factors.entries())
    if (path !== 'missing') dialect = withValue(dialect, path.split('.'), values[combination[at] ?? 0])
  const { quotes } = dialect.xml
  const missing = { json: 'null', xml: `<Data Value=${quotes}{value}${quotes}/>` }
  return combination.at(-1) === 0 ? dialect : { ...dialect, missing: { users: missing, apps: missing } }
}

/** The factors that do not have their default. */
const changedIn = (combination: Combination) => [...factors.keys()].filter((at) => combination[at] !== 0)
const describe = (combination: Combination) =>
  changedIn(combination)
    .map((at) => `${factors[at]?.[0]} ${JSON.stringify(factors[at]?.[1][combination[at] ?? 0])}`)
    .join(', ') || 'the default'

interface Job {
  readonly combination: Combination
  readonly queries: readonly string[]
}

interface Difference {
  readonly combination: Combination
  readonly query: string
  /** Status, type and body of both. */
  readonly gateway: string
  readonly php: string
}

const seed = seedOf('legacy/dialects')
const rows = rowsWith(seed)
const find = rowFinder({
  users: rows.users.map(({ chatId, ...row }) => ({ ...row, ...(chatId !== null && { chatId }) })),
  apps: rows.apps.map((row) => ({ ...row })),
})

/** @returns the differences, how many responses were compared, and how many of these were not refused */
function compare(jobs: readonly Job[]) {
  const dialects = jobs.map(({ combination }) => dialectOf(combination))
  const asked = jobs.map(({ queries }, at) => ({ dialect: dialects[at], queries }))
  const input = JSON.stringify({ ...rows, maxValues: MAX_VALUES, jobs: asked })
  const responses: ([number, string, string] | null)[][] = JSON.parse(runPhp('dialects.php', [], input))
  let [compared, found] = [0, 0]
  const differences: Difference[] = []
  for (const [at, { combination, queries }] of jobs.entries()) {
    const facade = createFacade(dialects[at] ?? defaultDialect, MAX_VALUES)
    for (const [index, query] of queries.entries()) {
      const response = responses[at]?.[index] ?? null
      // ksort() has no order for some names.
      if (response === null) continue
      const [status, type, body] = response
      compared++
      if (status === 200) found++
      const php = `${status} ${type}\n${Buffer.from(body, 'base64').toString('latin1')}`
      const reply = legacyResponseTo(facade, find, query)
      const gateway = `${reply.status} ${reply.type}\n${reply.body}`
      if (gateway !== php) differences.push({ combination, query, gateway, php })
    }
  }
  return { differences, compared, found }
}

/**
 * The difference that needs the fewest choices: of some queries, without each choice that it does not need.
 */
function simplest(differences: readonly Difference[]): Difference | undefined {
  let kept = [...new Map(differences.map((one) => [one.query, one])).values()].slice(0, 20)
  for (const at of factors.keys()) {
    const jobs = kept.map(({ combination, query }) => ({
      combination: combination.with(at, 0),
      queries: [query],
    }))
    const still = new Map(compare(jobs).differences.map((one) => [one.combination, one]))
    kept = kept.map((difference, index) => still.get(jobs[index]?.combination ?? []) ?? difference)
  }
  return kept.sort((one, other) => changedIn(one.combination).length - changedIn(other.combination).length)[0]
}

const fixed = queriesFor(rows)
const GENERATED = runs(100, 1000)
const generated = fc.sample(anyQuery, { seed, numRuns: 20 * GENERATED })

function expectSame(combinations: readonly Combination[]): void {
  const jobs = combinations.map((combination, at) => {
    const start = (at * GENERATED) % generated.length
    return { combination, queries: [...fixed, ...generated.slice(start, start + GENERATED)] }
  })
  const { differences, compared, found } = compare(jobs)
  const total = jobs.length * (fixed.length + GENERATED)
  expect(compared / total).toBeGreaterThan(0.99)
  expect(found / total).toBeGreaterThan(0.3)
  const difference = differences.length === 0 ? undefined : simplest(differences)
  if (difference === undefined) return
  const { combination, query, gateway, php } = difference
  const about = `SEED=${seed} ${describe(combination)}: ${query} (${differences.length} such responses)`
  expect.fail(`${about}\n\nthe gateway: ${gateway}\n\nPHP: ${php}`)
}

test('each value of each choice', () => {
  const none = factors.map(() => 0)
  const alone = factors.flatMap(([, values], factor) =>
    values.slice(1).map((_, at) => none.map((_, other) => (other === factor ? at + 1 : 0))),
  )
  expectSame([none, ...alone])
})

test('each pair of values of two choices', () => {
  const sizes = factors.map(([, values]) => values.length)
  expectSame(coverPairs(sizes, seed))
})
