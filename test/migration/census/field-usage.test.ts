// `lookup census --metrics`: who still asks for which field.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FieldUsage } from '../../../src/migration/census/field-usage.ts'
import { outcomeOf, startLookup } from '../../kit/run-lookup.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

test('the metrics of several gateways and processes are added up', async () => {
  for (const [file, settings] of [
    ['a.txt', {}],
    ['b.txt', { WORKERS: '2' }],
  ] as const) {
    const { shown, stop } = await serve({ cwd: place.path, env: settings })
    const url = originOf(shown['Legacy JSON'])
    for (const [client, fields] of [
      ['web', 'id rank'],
      ['web', 'id'],
      ['ios', 'rank'],
    ]) {
      const query = encodeURIComponent(`query Users { users(values: ["1"]) { ${fields} } }`)
      const headers = { connection: 'close', 'apollographql-client-name': client ?? '' }
      expect((await fetch(`${url}/graphql?query=${query}`, { headers })).status).toBe(200)
    }
    place.write(file, await (await fetch(`${originOf(shown.Readiness)}/metrics`)).text())
    await stop()
  }
  const { status, stdout, stderr } = await place.run([
    ...['census', '--metrics', 'a.txt', 'b.txt', '--json', 'c.json', '--html', 'c.html'],
  ])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toBe(
    [
      '6 GraphQL operations.',
      '',
      'field        client  operations    share',
      'Query.users  web              4  66.66 %',
      'Query.users  ios              2  33.33 %',
      'User.id      web              4  66.66 %',
      'User.rank    web              2  33.33 %',
      'User.rank    ios              2  33.33 %',
      '',
    ].join('\n'),
  )
  const report: FieldUsage = JSON.parse(readFileSync(join(place.path, 'c.json'), 'utf8'))
  expect(report).toMatchObject({ metrics: ['a.txt', 'b.txt'], operations: 6 })
  expect(report.rows).toHaveLength(5)
  expect(readFileSync(join(place.path, 'c.html'), 'utf8')).toContain('User.rank')
})

test.each([
  ['an access log', '203.0.113.1 - - [22/Nov/2026:13:00:00 +0100] "GET / HTTP/1.1" 200 1 "-" "x"\n'],
  ['metrics of a gateway that was never asked', '# TYPE lookup_info gauge\nlookup_info{version="1"} 1\n'],
  ['nothing', ''],
])('%s has no operations', async (_name, text) => {
  place.write('a.txt', text)
  const { status, stdout, stderr } = await place.run(['census', '--metrics', 'a.txt'])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/No GraphQL operations found in a\.txt\. Give files with the output of \/metrics/)
})

test('a file that is not there is named', async () => {
  expect(await place.run(['census', '--metrics', 'a.txt'])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'There is no file a.txt. Check the path.\n',
  })
})

test.each([['--show-addresses'], ['--path', '/old']])('%s is for access logs', async (...option) => {
  place.write('a.txt', 'lookup_graphql_operations_total{client="web",operation="A"} 4\n')
  const { status, stdout, stderr } = await place.run(['census', '--metrics', 'a.txt', ...option])
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(`option '--metrics' cannot be used with option '${option[0]}`)
})

test('operations without a field are counted', async () => {
  place.write('a.txt', 'lookup_graphql_operations_total{client="web",operation="A"} 4\n')
  const { status, stdout } = await place.run(['census', '--metrics', 'a.txt'])
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: '4 GraphQL operations.\n\nfield  client  operations  share\n',
  })
})

test('lines that no gateway prints are passed over, however long they are', async () => {
  const fields = 'lookup_graphql_fields_total'
  const right = 'client="web",field="User.id"'
  place.write(
    'a.txt',
    [
      'lookup_graphql_operations_total{client="web",operation="A"} 4',
      `${fields}{${right}} 3`,
      `${fields}{${right}} 5x`,
      `${fields}{${right}} NaN`,
      `${fields}{${right}`,
      `${fields}{client="web"} 1`,
      `${fields}{${'a'.repeat(200_000)}} 1`,
      `${fields}{${'a="b",'.repeat(40_000)}`,
      `${fields}{"${'\\\\'.repeat(100_000)}} 1`,
      '',
    ].join('\n'),
  )
  const { status, stdout, stderr } = await place.run(['census', '--metrics', 'a.txt'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^4 GraphQL operations\.\n\n.*\nUser\.id {2}web +3 {2}75\.00 %\n$/)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s shows what has been read, and says so', async (signal, code) => {
  const child = startLookup(['census', '--metrics', '-'], { cwd: place.path })
  const ended = outcomeOf(child)
  const line = 'lookup_graphql_operations_total{client="web",operation="A"} 1\n'
  // More than a pipe holds: when all is written, it is being read.
  await new Promise((resolve) => child.stdin.write(line.repeat(20_000), resolve))
  child.kill(signal)
  const { status, stdout, stderr } = await ended
  expect({ status, stderr }).toEqual({ status: code, stderr: '' })
  expect(stdout).toMatch(/^[1-9][\d,]* GraphQL operations\.\n/)
  expect(stdout).toContain('Interrupted: only part of the files was counted.')
})

test('labels that Prometheus has added do no harm', async () => {
  place.write(
    'a.txt',
    [
      'lookup_graphql_operations_total{client="web",operation="A",instance="a:1",x="\\"} 9"} 4 1700000000000',
      'lookup_graphql_fields_total{x="\\\\",client="web",field="User.id"} 1e2',
    ].join('\n'),
  )
  const { stdout } = await place.run(['census', '--metrics', 'a.txt'])
  expect(stdout).toContain('4 GraphQL operations.')
  expect(stdout).toMatch(/User\.id {2}web +100/)
})
