// Whether contenders answer the same requests with the same facts. Bytes may differ: some write UTF-8 and
// some escapes, some sort members and some do not.

import { isDeepStrictEqual } from 'node:util'
import type { Format } from './workloads.ts'

const query = `query Users($values: [String!]!) {
  users(by: ID, values: $values) { id username displayName rank joinDate isConfirmed banned }
}`

/** What PostGraphile makes of the table, under the names of our schema. */
const queryOfTable = `query User($id: BigInt!) {
  user: userByRowId(rowId: $id) { id: rowId username displayName rank joinDate isConfirmed banned }
}`

/** Fifty lists of ids; some match nothing. */
function* lists(users: number): Generator<readonly string[]> {
  let state = 7
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return String(1 + (state % Math.floor(users * 1.02)))
  }
  for (let index = 0; index < 50; index++) {
    const length = index < 20 ? 1 : index < 40 ? 10 : 100
    yield [...new Set(Array.from({ length }, next))]
  }
}

/** What a server answers, without how it is written. */
export async function askFacts(url: string, format: Format, users: number): Promise<readonly unknown[]> {
  if (format === 'mix')
    return [...(await askFacts(url, 'json', users)), ...(await askFacts(url, 'xml', users))]
  const facts: unknown[] = []
  for (const ids of lists(users)) facts.push(await ask(url, format, ids))
  return facts
}

async function ask(url: string, format: Format, ids: readonly string[]): Promise<unknown> {
  if (format === 'graphql') return post(url, query, { values: ids })
  if (format === 'postgraphile') return askOneByOne(url, ids)
  const suffix = format === 'xml' ? '&Format=XML' : ''
  const response = await fetch(`${url}/?Event=ProfileLookup&Users=${ids.join(':')}${suffix}`)
  return format === 'xml' ? readXml(await response.text()) : response.json()
}

async function post(url: string, text: string, variables: object): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, variables }),
  })
  return response.json()
}

/** As if the gateway's schema had been asked for all at once. */
async function askOneByOne(url: string, ids: readonly string[]): Promise<unknown> {
  const users: unknown[] = []
  for (const id of ids) {
    const answer = (await post(url, queryOfTable, { id })) as { data?: { user: { joinDate: string } | null } }
    if (answer.data === undefined) return answer
    const { user } = answer.data
    // A bigint is a text there.
    users.push(user && { ...user, joinDate: Number(user.joinDate) })
  }
  return { data: { users } }
}

function readXml(text: string): unknown {
  const entries = text.matchAll(/<Data Value="([^"]*)">(.*?)<\/Data>/gs)
  return Array.from(entries, ([, value = '', content = '']) => [
    unescapeXml(value),
    Array.from(content.matchAll(/<(\w+)(?:\/>|>([^<]*)<\/\1>)/g), ([, name, inner = '']) => [
      name,
      unescapeXml(inner),
    ]),
  ])
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9A-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

/** @returns where they differ first, or `null` where they do not */
export function difference(expected: readonly unknown[], actual: readonly unknown[]): string | null {
  const index = expected.findIndex((fact, at) => !isDeepStrictEqual(fact, actual[at]))
  if (index === -1) return null
  const show = (fact: unknown) => JSON.stringify(fact).slice(0, 300)
  return `request ${index + 1}: ${show(actual[index])} instead of ${show(expected[index])}`
}
