// The habits of clients, good and bad. Each visit checks the status of its response.

import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Target {
  readonly url: string
  readonly adminUrl: string
  /** Users are numbered from 1 to this. */
  readonly users: number
}

/**
 * `refused` if the gateway was overloaded; otherwise the fault of the response, or `null` for
 * none.
 */
export type Outcome = string | null

export type Habit = (target: Target, visit: number) => Promise<Outcome>

const agent = new Agent({ keepAlive: true, maxSockets: 32 })

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Over a connection of its own. */
  readonly alone?: boolean
}

/** The status of a response, after its last byte. */
function statusOf(url: string, { method = 'GET', headers = {}, body = '', alone = false }: Asked = {}) {
  return new Promise<number>((resolve, reject) => {
    const asked = request(url, { method, headers, agent: alone ? false : agent }, (response) => {
      response.on('error', reject)
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    asked.on('error', reject).end(body)
  })
}

async function expectStatus(wanted: number, url: string, asked?: Asked): Promise<Outcome> {
  const status = await statusOf(url, asked)
  if (status === 503) return 'refused'
  return status === wanted
    ? null
    : `${status} instead of ${wanted}: ${asked?.method ?? 'GET'} ${url.slice(0, 200)}`
}

/**
 * Writes, writes again after the first bytes of a response, and leaves soon after.
 */
function leave(url: string, first: string, then = '', milliseconds = 1): Promise<null> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(first, 'latin1'))
    socket.once('data', () => {
      socket.resume().write(then, 'latin1')
      setTimeout(() => socket.destroy(), milliseconds)
    })
    socket.on('error', () => {}).on('close', () => resolve(null))
  })
}

/** Connects, and leaves without a request. */
async function ring({ url }: Target): Promise<null> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await pause(below(100))
  socket.destroy()
  return null
}

const below = (limit: number) => Math.floor(Math.random() * limit)
const ids = ({ users }: Target, count = 1 + below(100)) =>
  Array.from({ length: count }, () => 1 + below(users * 1.1)).join(':')
const lookup = (target: Target, values = ids(target)) => `${target.url}/?Event=ProfileLookup&Users=${values}`

const html = { accept: 'text/html' }
const openHeaders = { 'content-type': 'application/json', accept: 'application/graphql-response+json' }
const graphql = ({ url }: Target, status: number, query: string, variables: unknown = {}) => {
  const body = JSON.stringify({ query, variables })
  return expectStatus(status, `${url}/graphql`, { method: 'POST', headers: openHeaders, body })
}

const get = (url: string, headers = '') =>
  `GET ${url.slice(new URL(url).origin.length)} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
const post = 'POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n'

/** Habits of most clients. */
export const common: Readonly<Record<string, Habit>> = {
  json: (target) => expectStatus(200, lookup(target)),
  xml: (target) => expectStatus(200, `${lookup(target)}&Format=XML`),
  names: (target, visit) =>
    expectStatus(200, `${lookup(target, `nobody-${visit}`)}&MethodOfAccessingUserInformation=username`),
  again: (target, visit) => expectStatus(200, lookup(target, String(1 + (visit % 50)))),
  variables: (target) =>
    graphql(target, 200, 'query Q($v: [ID!]!) { users(values: $v) { id username joinDate } }', {
      v: ids(target).split(':'),
    }),
  'new queries': (target, visit) => graphql(target, 200, `{ a${visit}: users(values: ["1"]) { id } }`),
  'wrong lookups': (target, visit) => expectStatus(400, lookup(target, `x${visit}`)),
  'leaving early': (target) => leave(target.url, get(lookup(target, '1')), get(lookup(target)), below(5)),
}

/** Rare or expensive habits. */
export const rare: Readonly<Record<string, Habit>> = {
  alone: (target) => expectStatus(200, lookup(target), { alone: true }),
  'new long queries': (target, visit) =>
    graphql(target, 200, `{ a${visit}: users(values: ["1"]) { ${'id rank banned '.repeat(320)} } }`),
  'new queries, by GET': ({ url }, visit) =>
    expectStatus(200, `${url}/graphql?query={users(values:["${visit}"]){id}}`, { headers: openHeaders }),
  'new wrong queries': (target, visit) => graphql(target, 400, `{ b${visit} ${'a '.repeat(visit % 200)}}`),
  'no queries': (target, visit) => graphql(target, 400, `{ ${visit} `),
  nowhere: ({ url }, visit) => expectStatus(404, `${url}/${visit}`),
  'wrong methods': ({ url }, visit) => expectStatus(405, `${url}/?${visit}`, { method: 'DELETE' }),
  'large bodies': ({ url }) =>
    expectStatus(413, `${url}/graphql`, {
      method: 'POST',
      headers: openHeaders,
      body: 'x'.repeat(70_000),
      alone: true,
    }).catch(() => null), // it may be cut while it is sent
  'long targets': ({ url }) => expectStatus(414, `${url}/?${'x'.repeat(70_000)}`, { alone: true }),
  explorer: ({ url }) => expectStatus(200, `${url}/`, { headers: html }),
  graphiql: ({ url }) => expectStatus(200, `${url}/graphql`, { headers: html }),
  metrics: ({ adminUrl }) => expectStatus(200, `${adminUrl}/metrics`),
  readiness: ({ adminUrl }) => expectStatus(200, `${adminUrl}/ready`),
  garbage: ({ url }, visit) => leave(url, `garbage ${visit}\r\n\r\n`),
  silence: ring,
  'half requests': (target) => leave(target.url, get(lookup(target, '1')), `${post}{`, below(100)),
  'leaving a page half-way': ({ url }) => leave(url, get(`${url}/graphql`, 'Accept: text/html\r\n')),
}

/** Closes the kept connections. */
export function letGo(): void {
  agent.destroy()
}
