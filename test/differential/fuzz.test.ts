// JSON, XML and GraphQL say of made-up rows what was imported: all of it, and nothing else. SEED repeats a
// run.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { Dialect } from '../../src/settings.ts'
import { ask } from '../gateway/legacy/support/ask.ts'
import { asXmlSays, type Fact, orderedJsonFacts, xmlFacts } from '../gateway/legacy/support/facts.ts'
import { refusalIn } from '../gateway/legacy/support/reply.ts'
import { figure, note } from '../kit/figures.ts'
import { startGateway, temporaryFolder } from '../kit/gateway.ts'
import { seedOf } from '../kit/generate.ts'
import { inParallel } from '../kit/in-parallel.ts'
import { startGatewayOnPostgres } from '../kit/postgres/gateway.ts'
import { askGraphql, legacyTarget } from './asking.ts'
import { createModel, type Model, type Question } from './model.ts'
import { questionsFor } from './questions.ts'
import { type Rows, rows } from './rows.ts'
import { spoil } from './spoil.ts'

const DATASETS = figure(1, 4)
/** Questions about each; each is asked in JSON, in XML and in GraphQL. */
const QUESTIONS = figure(300, 1500)
const CLIENTS = 16

type Settings = Readonly<Record<string, string>>

/** A gateway over rows, and the rows as they are after that. */
type Start = (
  settings: Settings,
  made: Rows,
) => Promise<{ url: string; rows: Rows; close: () => Promise<void> }>

const onSqlite: Start = async (settings, made) => {
  const gateway = await startGateway(settings, filesOf(made))
  return { ...gateway, rows: spoil(gateway.database.path, made) }
}
const onPostgres: Start = async (settings, made) => ({
  ...(await startGatewayOnPostgres(settings, filesOf(made))),
  rows: made,
})

const otherNames = { LEGACY_SERVICE_NAME: 'Acme_2', LEGACY_CHAT_METHOD: 'talk-2', LEGACY_UNKNOWN: 'null' }
const services: Readonly<Record<string, { start: Start; settings: Settings }>> = {
  'SQLite, as it is by default': { start: onSqlite, settings: {} },
  'SQLite, misses shown and other names': { start: onSqlite, settings: otherNames },
  'SQLite, nothing malformed and every status 200': {
    start: onSqlite,
    settings: { LEGACY_MALFORMED: 'unknown', LEGACY_ERROR_STATUS: '200' },
  },
  // On a busy machine no request is refused: there is room for all clients, and time.
  PostgreSQL: {
    start: onPostgres,
    settings: { DATABASE_CONNECTIONS: String(CLIENTS), DATABASE_TIMEOUT: '10000' },
  },
}

const folder = temporaryFolder()
afterAll(folder.remove)

/** Writes rows down as an import reads them. */
function filesOf(made: Rows) {
  const write = (name: keyof Rows) => {
    const file = join(folder.path, `${name}.jsonl`)
    writeFileSync(file, made[name].map((row) => `${JSON.stringify(row)}\n`).join(''))
    return file
  }
  return { users: write('users'), apps: write('apps') }
}

test.for(Object.entries(services))(
  '%s',
  { timeout: 300_000 },
  async ([name, { start, settings }], context) => {
    const seed = seedOf(`differential/fuzz.test.ts, ${name}`)
    const { dialect } = readConfig({ flags: settings })
    let facts = 0
    for (const [round, made] of fc.sample(rows, { seed, numRuns: DATASETS }).entries()) {
      const gateway = await start(settings, made)
      try {
        const questions = fc.sample(questionsFor(made), { seed: seed + round, numRuns: QUESTIONS })
        facts += await compare(gateway.url, dialect, createModel(gateway.rows, dialect), questions, seed)
      } finally {
        await gateway.close()
      }
    }
    // Whether the questions were worth asking.
    const asked = DATASETS * QUESTIONS
    expect(facts).toBeGreaterThan(asked)
    note(context, {
      promise: 7,
      what: `JSON, XML and GraphQL about generated rows: ${name}`,
      bound: 'every fact as imported',
      measured: `${asked.toLocaleString('en')} questions, ${facts.toLocaleString('en')} entries, all agree`,
    })
  },
)

interface XmlAnswer {
  readonly where: string
  readonly body: string
  readonly facts: readonly Fact[]
}

/** Asks everything in three ways. @returns how many entries were found, in JSON */
async function compare(
  url: string,
  dialect: Dialect,
  model: Model,
  questions: readonly Question[],
  seed: number,
): Promise<number> {
  const documents: XmlAnswer[] = []
  let found = 0
  await inParallel(questions, CLIENTS, async (question) => {
    const where = `SEED=${seed}: ${JSON.stringify(question)}`
    expectSame(await askGraphql(url, question), model.graphql(question), where)
    // A query string is UTF-8.
    if (!question.values.every((value) => value.isWellFormed())) return
    const expected = model.legacy(question)
    for (const format of ['JSON', 'XML'] as const) {
      const reply = await ask(url, legacyTarget(question, format, dialect))
      if ('code' in expected) {
        expect(refusalIn(reply, format).code, where).toBe(expected.code)
        expect(reply.status, where).toBe(dialect.errorStatus === 'http' ? 400 : dialect.errorStatus)
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
  documents.forEach(({ where, facts }, index) => {
    expectSame(read[index], asXmlSays(facts), where)
  })
  return found
}

/** As `toEqual`, which takes its time even where there is nothing to show. */
function expectSame(actual: unknown, expected: unknown, where: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, where).toEqual(expected)
}
