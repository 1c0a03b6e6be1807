// The gateway leaves tracing to OpenTelemetry, which can follow a request as far as its asynchronous context
// reaches: to the query of its lookup, and not to the health checks.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fillSample } from '../kit/engines.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { PostgresServer } from '../kit/postgres/server.ts'
import { originOf, serve } from '../kit/serving.ts'

const hook = new URL('tracing-context.js', import.meta.url).pathname

test('each query runs in the context of its request, and health checks in none', async () => {
  const database = await (await PostgresServer.shared()).makeDatabase()
  onTestFinished(database.remove)
  await fillSample(database)
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const { shown } = await serve({
    cwd: folder.path,
    env: { DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
    nodeFlags: ['--import', hook],
  })
  const url = originOf(shown['Legacy JSON'])
  const get = async (target: string, traceparent: string) =>
    (await fetch(url + target, { headers: { traceparent } })).text()
  const graphql = encodeURIComponent('{ users(by: USERNAME, values: ["mallory"]) { id } }')
  const legacy = '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=ada'
  expect(await get(legacy, 'legacy')).toContain('"Id":')
  expect(await get(`/graphql?query=${graphql}`, 'graphql')).toContain('"id":')

  const queries = () =>
    readFileSync(join(folder.path, 'queries.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): { query: string; traceparent: string | null } => JSON.parse(line))
  const lookups = queries().filter(({ traceparent }) => traceparent !== null)
  expect(lookups).toEqual([
    { query: 'users-by-username', traceparent: 'legacy' },
    { query: 'users-by-username', traceparent: 'graphql' },
  ])
  // Health checks come once a second.
  const before = queries().length
  await expect.poll(() => queries().length).toBeGreaterThan(before)
  expect(queries().filter(({ traceparent }) => traceparent !== null)).toEqual(lookups)
})
