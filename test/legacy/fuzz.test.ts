// Queries by the thousand over real sockets: always an answer of the contract, always well-formed, and the same in
// both formats.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { ask, contentTypes, inFormat, type Reply } from './support/ask.ts'
import { caseData } from './support/cases.ts'
import { publishedXsd } from './support/documents.ts'
import { type Fact, jsonFacts, sorted, xmlFacts } from './support/facts.ts'
import { query as queries } from './support/queries.ts'
import { chooseSeed } from './support/seed.ts'

const QUERIES = 20_000
/** How many are under way at a time. */
const CLIENTS = 16
/** XML documents that libxml2 reads in one go. */
const BATCH = 2000

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway({}, caseData)
})
afterAll(() => gateway.close())

interface Asked {
  readonly query: string
  /** Asked without a format, and with `Format=XML` after all else. */
  readonly replies: readonly [plain: Reply, xml: Reply]
}

async function askAll(all: readonly string[]): Promise<Asked[]> {
  const asked: Asked[] = []
  const waiting = all.values()
  const client = async () => {
    for (const query of waiting) {
      const plain = await ask(gateway.url, inFormat(query, 'JSON'))
      asked.push({ query, replies: [plain, await ask(gateway.url, inFormat(query, 'XML'))] })
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return asked
}

async function readXml(bodies: ReadonlySet<string>): Promise<Map<string, Fact<string>[]>> {
  const read = new Map<string, Fact<string>[]>()
  const all = [...bodies]
  for (let start = 0; start < all.length; start += BATCH) {
    const batch = all.slice(start, start + BATCH)
    const facts = await xmlFacts(batch, publishedXsd)
    batch.forEach((body, index) => {
      read.set(body, sorted(facts[index] ?? []))
    })
  }
  return read
}

test(`${QUERIES} queries`, { timeout: 60_000 }, async () => {
  const seed = chooseSeed('fuzz.test.ts')
  const asked = await askAll(fc.sample(queries, { seed, numRuns: QUERIES }))
  expect(asked).toHaveLength(QUERIES)

  const isXml = ({ headers }: Reply) => headers['content-type'] === contentTypes.XML
  const replies = asked.flatMap((one) => one.replies)
  const xml = await readXml(new Set(replies.filter(isXml).map(({ body }) => body)))
  const factsIn = (reply: Reply) => (isXml(reply) ? xml.get(reply.body) : jsonFacts(reply.body))

  const statuses = new Map<number, number>()
  let compared = 0
  for (const { query, replies } of asked) {
    const where = `SEED=${seed}: ${query.slice(0, 500)}`
    const facts = replies.map((reply) => {
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      expect([200, 400, 414], where).toContain(reply.status)
      if (!isXml(reply)) expect(reply.headers['content-type'], where).toBe(contentTypes.JSON)
      return factsIn(reply)
    })
    // A query that names a format itself gets its own way, or is refused for naming two.
    if (/(?:^|&)Format(?:=|&|$)/.test(query)) continue
    compared++
    const [plain, withFormat] = replies
    expect([isXml(plain), isXml(withFormat), plain.status], where).toEqual([false, true, withFormat.status])
    expect(facts[1], where).toEqual(facts[0])
  }
  // Whether the queries were worth asking.
  expect(compared).toBeGreaterThan(QUERIES * 0.8)
  expect(statuses.get(200)).toBeGreaterThan(QUERIES * 0.5)
  expect(statuses.get(400)).toBeGreaterThan(QUERIES * 0.2)
  expect(statuses.get(414)).toBeGreaterThan(0)
  expect(xml.size).toBeGreaterThan(QUERIES * 0.2)
})

test('the same queries asked again are 304 where they were 200', { timeout: 60_000 }, async () => {
  const seed = chooseSeed('fuzz.test.ts, again')
  for (const query of fc.sample(queries, { seed, numRuns: 500 })) {
    const first = await ask(gateway.url, `/?${query}`)
    const etag = first.headers.etag
    const again = await ask(gateway.url, `/?${query}`, { headers: { 'if-none-match': etag ?? '*' } })
    const expected =
      first.status === 200 ? { status: 304, body: '' } : { status: first.status, body: first.body }
    expect(again, `SEED=${seed}: ${query}`).toMatchObject(expected)
  }
})
