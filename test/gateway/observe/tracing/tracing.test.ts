// OpenTelemetry's own instrumentation sees the gateway's requests and queries; the gateway itself knows
// nothing of it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ServerKind } from '../../../../src/database-location.ts'
import { makeTables } from '../../../../src/stores/transfer.ts'
import { startAnswering } from '../../../kit/answering.ts'
import { engines, fillSample, useDatabases } from '../../../kit/engines.ts'
import { fill, sample, temporaryFolder } from '../../../kit/gateway.ts'
import { installed } from '../../../kit/install.ts'
import { freePort } from '../../../kit/postgres/server.ts'
import { originOf, serve } from '../../../kit/serving.ts'
import { type Receiver, type Span, startReceiver } from './receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${callerId}-01`

const root = new URL('../../../../', import.meta.url).pathname
const page = readFileSync(`${root}docs/tracing.md`, 'utf8')
/** Where the gateway's tracing is. */
const folder = new URL('../../../../deploy/tracing/', import.meta.url).pathname
const nodeFlags = ['--import', `${folder}register.js`]

/** What OpenTelemetry is told beside what the documented command tells it. */
const environment = ({ url }: Receiver, delay = 50) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: String(delay),
})

const lookUp = (url: string) =>
  fetch(`${url}/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=mallory`, {
    headers: { traceparent },
  })

const query = 'query Who($values: [String!]!) { users(by: USERNAME, values: $values) { id } }'
const post = (url: string, asked = query) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { traceparent, 'content-type': 'application/json' },
    body: JSON.stringify({ query: asked, variables: { values: ['mallory'] } }),
  })

/** The spans of requests, as method, path and status; waits until there are so many. */
async function requests(receiver: Receiver, count: number): Promise<readonly Span[]> {
  const found = () => receiver.spans.filter(({ kind }) => kind === 'server')
  await expect.poll(() => found().length, { timeout: 8000 }).toBe(count)
  return found()
}

const summary = ({ attributes }: Span) =>
  ['http.request.method', 'url.path', 'http.response.status_code'].map((name) => attributes[name]).join(' ')

const isInstalled = installed(folder, '@opentelemetry/auto-instrumentations-node')

describe.skipIf(!isInstalled)('OpenTelemetry', () => {
  test('by the documented command: a span for each request, which continues its trace', async () => {
    const command = "npm start --node-options='--import ./deploy/tracing/register.js'"
    expect(page).toContain(command)
    const receiver = await startReceiver()
    const place = temporaryFolder()
    onTestFinished(place.remove)
    const port = await freePort()
    const DATABASE_URL = `sqlite:${place.path}/tracing.db`
    await makeTables({ kind: 'sqlite', path: `${place.path}/tracing.db` })
    await fill({ kind: 'sqlite', path: `${place.path}/tracing.db` }, 'users', sample.users)
    const child = spawn(`exec ${command}`, {
      shell: true,
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL,
        PORT: String(port),
        ADMIN_PORT: 'off',
        LOG_LEVEL: 'info',
        ...environment(receiver),
      },
    })
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
      })
    }
    await expect.poll(() => said, { timeout: 10_000 }).toContain('Data ')
    const url = `http://127.0.0.1:${port}`
    const replies = [await lookUp(url), await post(url)]
    for (const path of ['/?Event=Nothing', '/nowhere'])
      replies.push(await fetch(`${url}${path}`, { headers: { traceparent } }))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 404])

    const spans = await requests(receiver, 4)
    expect(spans.map(summary)).toEqual(['GET / 200', 'POST /graphql 200', 'GET / 400', 'GET /nowhere 404'])
    for (const span of spans) expect(span).toMatchObject({ traceId, parentSpanId: callerId, by: 'http' })
    expect(receiver.text()).toContain('lookup-service')
    // Under the request, what GraphQL made of it.
    const [, graphql] = spans
    const executed = receiver.spans.find(({ name }) => name === 'query Who')
    expect(executed).toMatchObject({ traceId, parentSpanId: graphql?.spanId, by: 'graphql' })
    expect(receiver.spans.some(({ name }) => name.startsWith('graphql.resolve'))).toBe(false)
    expectDiscretion(receiver)
  })

  test('an operation is compiled, after which its execution has no span: with the names of types, too', async () => {
    const receiver = await startReceiver()
    const place = temporaryFolder()
    onTestFinished(place.remove)
    const { shown, stop } = await serve({ cwd: place.path, env: environment(receiver), nodeFlags })
    const typed = query.replace('Who', 'Typed').replace('{ id }', '{ id __typename }')
    const executions = () => receiver.spans.filter(({ name }) => name === 'query Typed').length
    let asked = 0
    const isCompiled = async () => {
      expect((await post(originOf(shown['Legacy JSON']), typed)).status).toBe(200)
      await requests(receiver, ++asked)
      return executions() < asked
    }
    await expect.poll(isCompiled, { timeout: 15_000, interval: 50 }).toBe(true)
    expect(executions()).toBeGreaterThan(1)
    await stop()
  })

  test('with workers: what was not sent yet is sent at the end', async () => {
    const receiver = await startReceiver()
    const place = temporaryFolder()
    onTestFinished(place.remove)
    const env = { ...environment(receiver, 60_000), WORKERS: '2', PORT: String(await freePort()) }
    const { shown, stop } = await serve({ cwd: place.path, env, nodeFlags })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => lookUp(originOf(shown['Legacy JSON']))),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(receiver.spans).toEqual([])
    expect(await stop()).toMatchObject({ status: 0 })
    expect((await requests(receiver, 10)).map(summary)).toEqual(Array(10).fill('GET / 200'))
  })

  test('a span for each call to an old service, without its login and its headers', async () => {
    const receiver = await startReceiver()
    const old = await startAnswering(({ headers }, response) => {
      response.writeHead(headers.authorization === undefined ? 401 : 200).end('{}')
    })
    onTestFinished(old.close)
    const place = temporaryFolder()
    onTestFinished(place.remove)
    const env = {
      ...environment(receiver),
      DATABASE_URL: old.url.replace('//', '//zq7:zq7@'),
      DATABASE_HEADERS: 'X-Key: zq7\\nCookie: zq7=zq7',
    }
    const { shown, stop } = await serve({ cwd: place.path, env, nodeFlags })
    expect((await lookUp(originOf(shown['Legacy JSON']))).status).toBe(200)
    await stop()
    const calls = receiver.spans.filter(({ kind }) => kind === 'client')
    const call = { by: 'http', attributes: { 'http.response.status_code': 200 } }
    // The first is the gateway's own, at its start.
    expect(calls).toMatchObject([call, { ...call, traceId }])
    expectDiscretion(receiver)
    for (const secret of ['zq7', btoa('zq7:zq7')]) expect(receiver.text()).not.toContain(secret)
  })

  test("OpenTelemetry's own register works too, and is as indiscreet as the document says", async () => {
    const register = '@opentelemetry/auto-instrumentations-node/register'
    expect(page).toContain(`--require ${register}`)
    expect(page).toContain('url.query')
    const receiver = await startReceiver()
    const place = temporaryFolder()
    onTestFinished(place.remove)
    const none = { OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
    const env = { ...environment(receiver), ...none, OTEL_NODE_RESOURCE_DETECTORS: 'env' }
    const { shown } = await serve({
      cwd: place.path,
      env,
      nodeFlags: [
        '--require',
        `${folder}node_modules/@opentelemetry/auto-instrumentations-node/build/src/register.js`,
      ],
    })
    await lookUp(originOf(shown['Legacy JSON']))
    const [span] = await requests(receiver, 1)
    expect(span).toMatchObject({ traceId, parentSpanId: callerId })
    expect(span?.attributes['url.query']).toContain('mallory')
  })
})

describe.skipIf(!isInstalled).for(engines)('OpenTelemetry over $name', (engine) => {
  const makeDatabase = useDatabases(engine)

  test('a span for each query, under the request that it was for', async () => {
    const { by, name, text } = instrumentation[engine.kind]
    const receiver = await startReceiver()
    const database = await makeDatabase()
    onTestFinished(database.remove)
    await fillSample(database)
    const place = temporaryFolder()
    onTestFinished(place.remove)
    const env = { ...environment(receiver), DATABASE_URL: database.url, LOG_LEVEL: 'silent' }
    const { shown, stop } = await serve({ cwd: place.path, env, nodeFlags })
    const url = originOf(shown['Legacy JSON'])
    for (const reply of [await lookUp(url), await post(url)])
      expect(await reply.text()).toMatch(/"(?:Id|id)":/)
    const [legacy, graphql] = await requests(receiver, 2)
    // Meanwhile the server is probed, which is in no trace.
    await pause(1500)
    await stop()

    const queries = receiver.spans.filter((span) => span.by === by && name.test(span.name))
    expect(queries).toHaveLength(2)
    for (const span of queries) {
      expect(span).toMatchObject({ kind: 'client', traceId })
      expect(span.attributes['db.query.text']).toMatch(text)
    }
    const ancestors = queries.map((span) => ancestorsOf(span, receiver.spans))
    expect(ancestors[0]).toContain(legacy?.spanId)
    expect(ancestors[1]).toContain(graphql?.spanId)
    expect(receiver.spans.filter((span) => span.traceId !== traceId)).toEqual([])
    expectDiscretion(receiver)
  })
})

/** What the instrumentation of each driver calls a lookup, and shows of it. */
const instrumentation = {
  postgres: { by: 'pg', name: /^pg\.query:users-by-username/, text: /^SELECT .* = ANY\(\$1::text\[\]\)$/ },
  mysql: { by: 'mysql2', name: /^SELECT$/, text: /^SELECT .* IN \(…\)$/ },
} as const satisfies Record<ServerKind, unknown>

/** Nothing that was sent names a user, or how the gateway was started. */
function expectDiscretion(receiver: Receiver): void {
  for (const secret of ['mallory', hexadecimal('mallory'), 'url.query', 'process.command', 'sqlite:'])
    expect(receiver.text()).not.toContain(secret)
}

const hexadecimal = (text: string) => Buffer.from(text).toString('hex')

function ancestorsOf({ parentSpanId }: Span, spans: readonly Span[]): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId)
  return parent === undefined ? [] : [parent.spanId, ...ancestorsOf(parent, spans)]
}
