// GraphQL's use by client, over HTTP and with several processes: what hostile clients call themselves makes
// the metrics neither unreadable nor endless, and no worker takes its counts with it.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { childrenOf } from '../../kit/children.ts'
import { originOf, serve } from '../../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'
import { requestFor, talking } from '../http/raw.ts'
import { readSeries } from './series.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const requestOf = (operation: string, headers: readonly string[]) =>
  requestFor(`/graphql?query=query%20${operation}{__typename%20users(values:[%221%22]){id%20rank}}`, [
    'Host: gateway',
    'Accept: application/json',
    ...headers,
  ])

/**
 * Sends requests in bunches, each over a connection of its own, and those again that found the gateway
 * overloaded.
 * @returns the other statuses
 */
async function sendAll(url: string, requests: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  const left = [...requests]
  while (left.length > 0) {
    const bunch = left.splice(0, 100)
    await talking(url, async ({ write, answer }) => {
      write(bunch.join(''))
      for (const request of bunch) {
        const { status } = await answer()
        if (status === 503) left.push(request)
        else statuses.push(status)
      }
    })
  }
  return statuses
}

async function start(workers: number) {
  const { shown, process: first } = await serve({ cwd: place.path }, '--workers', String(workers))
  const counted = async (name: 'operations' | 'fields') => {
    const text = await (await fetch(`${originOf(shown.Readiness)}/metrics`)).text()
    return readSeries(text).filter(({ metric }) => metric === `lookup_graphql_${name}_total`)
  }
  return { url: originOf(shown['Legacy JSON']), counted, first }
}

const sum = (series: readonly { readonly value: number }[]) =>
  series.reduce((total, { value }) => total + value, 0)
const of = (client: string, series: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['counted']>>) =>
  series.filter(({ labels }) => labels.client === client)

test('either header names a client; what is no plain name is other', async () => {
  const { url, counted } = await start(1)
  const named = [
    ['apollographql-client-name: web'],
    ['graphql-client-name: ios'],
    ['graphql-client-name: ios', 'apollographql-client-name: web'],
    ['Apollographql-Client-Name:  web '],
  ]
  const hostile = [
    `a"} 1`,
    'a\\',
    'a\\n# HELP x',
    'a\tb',
    'ada@mail.example',
    'n\xc3\xa4me',
    '{{constructor}}',
    'a'.repeat(10_000),
    `web${' '.repeat(9_000)}web`,
  ].map((name) => [`apollographql-client-name: ${name}`])
  const twice = ['apollographql-client-name: web', 'apollographql-client-name: ios']
  const requests = [...named, ...hostile, twice].map((headers) => requestOf('Users', headers))
  expect(new Set(await sendAll(url, requests))).toEqual(new Set([200]))
  // Words that objects have, too.
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(await sendAll(url, [requestOf(name, [`graphql-client-name: ${name}`])])).toEqual([200])

  const operations = (await counted('operations')).map(({ labels, value }) => [
    labels.client,
    labels.operation,
    value,
  ])
  expect(operations.toSorted()).toEqual([
    ['__proto__', '__proto__', 1],
    ['constructor', 'constructor', 1],
    ['ios', 'Users', 1],
    ['other', 'Users', hostile.length + 1],
    ['toString', 'toString', 1],
    ['web', 'Users', 3],
  ])
  const fields = of('web', await counted('fields')).map(({ labels, value }) => [labels.field, value])
  expect(fields.toSorted()).toEqual([
    ['Query.users', 3],
    ['User.id', 3],
    ['User.rank', 3],
  ])
})

test('a line break in a name is malformed HTTP, and adds no line to the metrics', async () => {
  const { url, counted } = await start(1)
  for (const lineBreak of ['\n', '\r']) {
    const request = requestOf('Users', [`apollographql-client-name: a${lineBreak}lookup_info 7`])
    expect(await sendAll(url, [request])).toEqual([400])
  }
  expect(await counted('operations')).toEqual([])
})

test('10,000 clients, and 2,000 operations of one, are counted in bounded series by two workers', async () => {
  const { url, counted } = await start(2)
  const clients = Array.from({ length: 10_000 }, (_, at) =>
    requestOf('Users', [`apollographql-client-name: client-${at}`]),
  )
  const operations = Array.from({ length: 2000 }, (_, at) =>
    requestOf(`Operation${at}`, ['apollographql-client-name: client-0']),
  )
  const statuses = await sendAll(url, [...clients, ...operations])
  expect(statuses).toHaveLength(12_000)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const series = await counted('operations')
  expect(sum(series)).toBe(12_000)
  // Each worker tells a hundred clients and a thousand operations apart.
  expect(new Set(series.map(({ labels }) => labels.client)).size).toBeLessThanOrEqual(2 * 100 + 1)
  expect(series.length).toBeLessThanOrEqual(2 * (1000 + 101))
  expect(sum(of('other', series))).toBeGreaterThanOrEqual(10_000 - 2 * 100)
  const fields = await counted('fields')
  expect(sum(fields)).toBe(3 * 12_000)
  expect(fields.length).toBeLessThanOrEqual(3 * (2 * 100 + 1))
}, 120_000)

test('what workers counted by client is kept when they are killed', async () => {
  const { url, counted, first } = await start(2)
  const send = (times: number) =>
    sendAll(url, Array(times).fill(requestOf('Users', ['graphql-client-name: ios'])))
  for (let time = 0; time < 10; time++) await send(2)
  expect(of('ios', await counted('operations'))).toMatchObject([
    { labels: { operation: 'Users' }, value: 20 },
  ])

  const children = childrenOf(first.pid)
  for (const child of children) process.kill(child, 'SIGKILL')
  await expect.poll(() => childrenOf(first.pid).some((child) => children.includes(child))).toBe(false)
  expect(sum(of('ios', await counted('operations')))).toBe(20)
  await send(2)
  expect(sum(of('ios', await counted('operations')))).toBe(22)
  expect(of('ios', await counted('fields')).map(({ value }) => value)).toEqual([22, 22, 22])
})
