// Generated query strings: the responses are those of the contract, well-formed, and the same in both
// formats.

import fc from 'fast-check'
import { expect } from 'vitest'
import { runs, seedOf } from '../../kit/generate.ts'
import { inParallel } from '../../kit/in-parallel.ts'
import { expectNoSecrets } from '../../kit/secrets.ts'
import { test } from '../../kit/test.ts'
import { ask, askBytes, contentTypes, inFormat, type Reply } from './ask.ts'
import { caseData } from './cases.ts'
import { complaints, publishedXsd } from './documents.ts'
import { jsonFacts, sorted, xmlFacts } from './facts.ts'
import { query as queries, rawValue } from './queries.ts'
import { refusalIn } from './reply.ts'

const CLIENTS = 16
/** Queries whose XML libxml2 reads in one go. */
const ROUND = 2_000

const isXml = ({ headers }: Reply) => headers['content-type'] === contentTypes.XML

/** The format of an error: the first `Format` that can be read. */
function formatOf(query: string): 'JSON' | 'XML' {
  const first = [...new URLSearchParams(query)].find(([name]) => name === 'Format')
  return first?.[1] === 'XML' ? 'XML' : 'JSON'
}

export function fuzzSuite(): void {
  test('query strings', { timeout: 3_600_000 }, async ({ withSettings }) => {
    const { url } = await withSettings({}, caseData)
    const seed = seedOf('legacy, query strings')
    const total = runs(1_000, 200_000)
    const statuses = new Map<number, number>()
    for (let done = 0; done < total; done += ROUND) {
      const numRuns = Math.min(ROUND, total - done)
      const documents: { where: string; body: string; json: string | null }[] = []
      await inParallel(fc.sample(queries, { seed: seed + done, numRuns }), CLIENTS, async (query) => {
        const where = `SEED=${seed}: ${query.slice(0, 500)}`
        const replies = [
          await ask(url, inFormat(query, 'JSON')),
          await ask(url, inFormat(query, 'XML')),
        ] as const
        for (const reply of replies) {
          statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
          expect([200, 400, 414], where).toContain(reply.status)
          expectNoSecrets(reply.body, where)
          if (!isXml(reply)) expectDescribed(reply, where)
        }
        const [plain, xml] = replies
        const namesFormat = [...new URLSearchParams(query).keys()].includes('Format')
        if (namesFormat && plain.status === 400 && !query.includes('%'))
          expect(isXml(plain), where).toBe(formatOf(query) === 'XML')
        if (!namesFormat)
          expect([isXml(plain), isXml(xml), plain.status], where).toEqual([false, true, xml.status])
        if (isXml(xml)) documents.push({ where, body: xml.body, json: namesFormat ? null : plain.body })
      })
      const facts = await xmlFacts(
        documents.map(({ body }) => body),
        publishedXsd,
      )
      for (const [at, { where, json }] of documents.entries())
        if (json !== null) expect(sorted(facts[at] ?? []), where).toEqual(jsonFacts(json))
    }
    // The queries are worth asking.
    expect(statuses.get(200)).toBeGreaterThan(total)
    expect(statuses.get(400)).toBeGreaterThan(total * 0.2)
    expect(statuses.get(414)).toBeGreaterThan(0)
  })

  test('raw bytes of values are decoded as a form is', { timeout: 3_600_000 }, async ({ withSettings }) => {
    const { url } = await withSettings({ 'missing.json': 'null' })
    const seed = seedOf('legacy, raw bytes')
    const values = fc.sample(rawValue, { seed, numRuns: runs(500, 20_000) })
    await inParallel(values, CLIENTS, async (value) => {
      const where = `SEED=${seed}: ${JSON.stringify(value)}`
      const method = 'MethodOfAccessingUserInformation=chat'
      const reply = await askBytes(url, `/?Event=ProfileLookup&${method}&Users=${value}`)
      const decoded = decode(value)
      const names = decoded?.split(':').filter((name) => name !== '') ?? []
      if (names.length === 0)
        expect(refusalIn(reply, 'JSON').code, where).toBe(
          decoded === null ? 'MalformedQuery' : 'MissingParameter',
        )
      else {
        const found: [string, null][] = names.map((name) => [name, null])
        expect(JSON.parse(reply.body), where).toEqual(Object.fromEntries(found))
      }
    })
  })
}

/** Decodes a form's value whose characters are bytes; null if it is not UTF-8, or has a NUL. */
function decode(value: string): string | null {
  const bytes = value
    .replaceAll('+', ' ')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`)
  try {
    const decoded = decodeURIComponent(bytes)
    return decoded.includes('\0') ? null : decoded
  } catch {
    return null
  }
}

/** OpenAPI describes a JSON response: one of either event, or an error. */
function expectDescribed({ headers, body }: Reply, where: string): void {
  expect(headers['content-type'], where).toBe(contentTypes.JSON)
  const names = body.startsWith('{"Error":{"Code"')
    ? (['Refusal'] as const)
    : (['ProfileLookup', 'AppLookup'] as const)
  const wrong = names.map((name) => complaints(name, JSON.parse(body)))
  if (wrong.every(({ length }) => length > 0)) expect(wrong, where).toEqual([])
}
