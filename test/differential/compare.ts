// Compares JSON, XML and GraphQL with what was imported: all of it, and nothing else.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Given } from '../kit/dialect.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { runs, seedOf } from '../kit/generate.ts'
import { inParallel } from '../kit/in-parallel.ts'
import { ask, type FormatName, inFormat } from '../legacy/support/ask.ts'
import { asXmlSays, type Fact, orderedJsonFacts, xmlFacts } from '../legacy/support/facts.ts'
import { refusalIn } from '../legacy/support/reply.ts'
import { createModel, type Kind, type Model, type Question } from './model.ts'
import { questionsFor } from './questions.ts'
import { type Rows, rows, writeRows } from './rows.ts'

/** A gateway over rows, and the rows as they are after that. */
export interface Service {
  readonly name: string
  readonly settings: Given
  readonly start: (
    settings: Service['settings'],
    files: Readonly<Record<keyof Rows, string>>,
    made: Rows,
  ) => Promise<{ url: string; rows: Rows; close: () => Promise<void> }>
}

const CLIENTS = 16
/** Questions that are asked of one data set, whose XML libxml2 reads in one go. */
const ROUND = 2_000

/** @param questions how many in `npm test`, and by night */
export function compareSuite(
  services: readonly Service[],
  questions: readonly [daily: number, nightly: number],
) {
  test.for(services)('$name', { timeout: 3_600_000 }, async ({ name, settings, start }) => {
    const seed = seedOf(`differential, ${name}`)
    const folder = temporaryFolder()
    let entries = 0
    for (let left = runs(...questions); left > 0; left -= ROUND) {
      const [made] = fc.sample(rows, { seed: seed + left, numRuns: 1 })
      if (made === undefined) throw new Error('no rows')
      const gateway = await start(settings, writeRows(folder.path, made), made)
      try {
        const numRuns = Math.min(left, ROUND)
        const asked = fc.sample(questionsFor(made), { seed: seed + left, numRuns })
        const model = createModel(gateway.rows, settings)
        entries += await compare({ url: gateway.url, settings, model }, asked, `SEED=${seed}`)
      } finally {
        await gateway.close()
      }
    }
    folder.remove()
    // Most questions find something.
    expect(entries).toBeGreaterThan(runs(...questions))
  })
}

interface Compared extends Pick<Service, 'settings'> {
  readonly url: string
  readonly model: Model
}

/** Asks everything in three ways. @returns how many entries were found, in JSON */
async function compare(
  { url, settings, model }: Compared,
  questions: readonly Question[],
  seed: string,
): Promise<number> {
  const documents: { where: string; body: string; facts: readonly Fact[] }[] = []
  let found = 0
  await inParallel(questions, CLIENTS, async (question) => {
    const where = `${seed}: ${JSON.stringify(question)}`
    expectSame(await askGraphql(url, question), model.graphql(question), where)
    // A query string is UTF-8.
    if (!question.values.every((value) => value.isWellFormed())) return
    const expected = model.legacy(question)
    for (const format of ['JSON', 'XML'] as const) {
      const reply = await ask(url, legacyTarget(question, format, String(settings.chatMethod ?? 'chat')))
      if ('code' in expected) {
        expect(refusalIn(reply, format).code, where).toBe(expected.code)
        expect(reply.status, where).toBe(Number(settings['errors.status'] ?? 400))
        continue
      }
      expect(reply.status, where).toBe(200)
      if (format === 'XML') documents.push({ where, body: reply.body, facts: expected.facts })
      else {
        expectSame(orderedJsonFacts(reply.body), expected.facts, where)
        found += expected.facts.length
      }
    }
  })
  const read = await xmlFacts(documents.map(({ body }) => body))
  for (const [index, { where, facts }] of documents.entries())
    expectSame(read[index], asXmlSays(facts), where)
  return found
}

/** As `toEqual`, which takes its time even if there is nothing to show. */
function expectSame(actual: unknown, expected: unknown, where: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, where).toEqual(expected)
}

const everyByte = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
const encoders: readonly ((text: string) => string)[] = [
  encodeURIComponent,
  (text) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%3A', ':'),
  everyByte,
]

/** The request target of a lookup, encoded in one of the ways there are. */
function legacyTarget({ kind, values }: Question, format: FormatName, chatMethod: string): string {
  const list = values.join(':')
  const encode = encoders[list.length % encoders.length] ?? encodeURIComponent
  const methods: Record<Kind, string> = { ID: 'id', USERNAME: 'username', CHAT: chatMethod, APP: '' }
  const method = `MethodOfAccessingUserInformation=${methods[kind]}`
  const isApp = kind === 'APP'
  const query = isApp ? 'Event=AppLookup&Apps=' : `Event=ProfileLookup&${method}&Users=`
  return inFormat(query + encode(list), format)
}

const USER = 'id username displayName rank joinDate isConfirmed banned'
const APP = 'id title version category changelogLink downloadLink'

/** @returns the items, one for each value */
async function askGraphql(url: string, { kind, values }: Question): Promise<unknown> {
  const query =
    kind === 'APP'
      ? `query ($values: [ID!]!) { found: apps(ids: $values) { ${APP} } }`
      : `query ($values: [ID!]!) { found: users(by: ${kind}, values: $values) { ${USER} } }`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query, variables: { values } })
  const reply = await ask(url, '/graphql', { method: 'POST', headers, body })
  expect(reply).toMatchObject({ status: 200 })
  const { data, errors } = JSON.parse(Buffer.from(reply.body, 'latin1').toString())
  expect(errors).toBeUndefined()
  return data.found
}
