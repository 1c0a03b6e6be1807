// Queries by the thousand over real sockets: always an answer of the contract, always well-formed, and the
// same in both formats.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure, note } from '../../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../../kit/gateway-process.ts'
import { seedOf } from '../../kit/generate.ts'
import { inParallel } from '../../kit/in-parallel.ts'
import { createPatience } from '../../kit/patience.ts'
import { expectNoSecrets } from '../../kit/secrets.ts'
import { ask, contentTypes, inFormat, type Reply } from './support/ask.ts'
import { caseData } from './support/cases.ts'
import { publishedOpenApi, publishedXsd } from './support/documents.ts'
import { type Fact, jsonFacts, sorted, xmlFacts } from './support/facts.ts'
import { schemasOf } from './support/json-schema.ts'
import { query as queries } from './support/queries.ts'

const complaints = schemasOf(publishedOpenApi)
const QUERIES = figure(6000, 60_000)
/** How many are made up, asked and read at a time: their XML is read by libxml2 in one go. */
const ROUND = 2000
/** How many are under way at a time. */
const CLIENTS = 16

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess({}, caseData)
})
afterAll(async () => {
  expect(await gateway.close()).toBe('')
})

interface Asked {
  readonly query: string
  /** Asked without a format, and with `Format=XML` after all else. */
  readonly replies: readonly [plain: Reply, xml: Reply]
}

const isXml = ({ headers }: Reply) => headers['content-type'] === contentTypes.XML

async function readXml(replies: readonly Reply[]): Promise<Map<string, Fact<string>[]>> {
  const bodies = [...new Set(replies.filter(isXml).map(({ body }) => body))]
  const facts = await xmlFacts(bodies, publishedXsd)
  return new Map(bodies.map((body, index) => [body, sorted(facts[index] ?? [])]))
}

test(`${QUERIES} queries in two formats`, { timeout: 300_000 }, async (context) => {
  const seed = seedOf('legacy/fuzz.test.ts')
  const patience = createPatience(gateway)
  const statuses = new Map<number, number>()
  let compared = 0
  let documents = 0

  async function askAll(round: readonly string[]): Promise<Asked[]> {
    const asked: Asked[] = []
    const lookUp = (target: string) => patience.time(target, (url) => ask(url, target))
    await inParallel(round, CLIENTS, async (query) => {
      const plain = await lookUp(inFormat(query, 'JSON'))
      asked.push({ query, replies: [plain, await lookUp(inFormat(query, 'XML'))] })
    })
    return asked
  }

  async function check(asked: readonly Asked[]): Promise<void> {
    const xml = await readXml(asked.flatMap(({ replies }) => replies))
    documents += xml.size
    for (const { query, replies } of asked) {
      const where = `SEED=${seed}: ${query.slice(0, 500)}`
      const facts = replies.map((reply) => {
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        expect([200, 400, 414], where).toContain(reply.status)
        expectNoSecrets(reply.body, where)
        if (isXml(reply)) return xml.get(reply.body)
        expect(reply.headers['content-type'], where).toBe(contentTypes.JSON)
        expectDescribed(reply.body, where)
        return jsonFacts(reply.body)
      })
      // A query that names a format itself gets its own way, or is refused for naming two.
      if (/(?:^|&)Format(?:=|&|$)/.test(query)) continue
      compared++
      const [plain, withFormat] = replies
      expect([isXml(plain), isXml(withFormat), plain.status], where).toEqual([false, true, withFormat.status])
      expect(facts[1], where).toEqual(facts[0])
    }
  }

  for (let done = 0; done < QUERIES; done += ROUND) {
    const asked = await askAll(fc.sample(queries, { seed: seed + done, numRuns: ROUND }))
    expect(asked).toHaveLength(ROUND)
    await check(asked)
  }

  // Whether the queries were worth asking.
  const [found = 0, refused = 0, tooLong = 0] = [200, 400, 414].map((status) => statuses.get(status))
  expect(compared).toBeGreaterThan(QUERIES * 0.8)
  expect(found).toBeGreaterThan(QUERIES * 0.5)
  expect(refused).toBeGreaterThan(QUERIES * 0.2)
  expect(tooLong).toBeGreaterThan(0)
  expect(documents).toBeGreaterThan(QUERIES * 0.2)
  note(context, {
    promise: 7,
    what: `${(found + refused + tooLong).toLocaleString('en')} generated legacy requests: answered by the contract, well-formed, JSON and XML agree`,
    bound: 'no 500, no hang > 1 s',
    measured: `${found} found, ${refused + tooLong} refused, ${await patience.settle()}`,
  })
})

test('the same queries asked again are 304 where they were 200', { timeout: 60_000 }, async () => {
  const seed = seedOf('legacy/fuzz.test.ts, again')
  for (const query of fc.sample(queries, { seed, numRuns: 500 })) {
    const first = await ask(gateway.url, `/?${query}`)
    const etag = first.headers.etag
    const again = await ask(gateway.url, `/?${query}`, { headers: { 'if-none-match': etag ?? '*' } })
    const expected =
      first.status === 200 ? { status: 304, body: '' } : { status: first.status, body: first.body }
    expect(again, `SEED=${seed}: ${query}`).toMatchObject(expected)
  }
})

/** That OpenAPI describes an answer: one of either event, or a refusal. */
function expectDescribed(body: string, where: string): void {
  const names = body.startsWith('{"Error":{"Code"')
    ? (['Refusal'] as const)
    : (['ProfileLookup', 'AppLookup'] as const)
  const answer: unknown = JSON.parse(body)
  const wrong = names.map((name) => complaints(name, answer))
  if (wrong.every(({ length }) => length > 0)) expect(wrong, where).toEqual([])
}
