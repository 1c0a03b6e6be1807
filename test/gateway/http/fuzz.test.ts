// Bytes that no client would send, over sockets of our own. SEED repeats a run.

import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { figure, note } from '../../kit/figures.ts'
import { type GatewayProcess, startGatewayProcess } from '../../kit/gateway-process.ts'
import { seedOf } from '../../kit/generate.ts'
import { inParallel } from '../../kit/in-parallel.ts'
import { createPatience, type Patience } from '../../kit/patience.ts'
import { expectNoSecrets } from '../../kit/secrets.ts'
import { publishedXsd } from '../legacy/support/documents.ts'
import { xmlFacts } from '../legacy/support/facts.ts'
import { strange } from './framing.ts'
import { malformed, wellFormed } from './generator.ts'
import { type Pipeline, pipeline } from './pipelines.ts'
import { exchange, type RawAnswer, readAnswers, requestFor, talking } from './raw.ts'

const WELL_FORMED = figure(1000, 10_000)
const MALFORMED = figure(1000, 10_000)
const PIPELINES = figure(300, 3000)
/** How many are made up at a time; after each round a plain lookup is answered as ever. */
const ROUND = 100
/**
 * How many are under way at a time; of pipelines of eight requests, as many as a busy gateway never refuses
 * (overload.ts).
 */
const CLIENTS = 25
const PIPELINING_CLIENTS = 4
/** Milliseconds after which there will be no answer. */
const END = 10_000

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGatewayProcess()
})
afterAll(async () => {
  expect(await gateway.close()).toBe('')
})

/** Sends all that is made up. */
async function sendAll<Item>(
  items: fc.Arbitrary<Item>,
  count: number,
  seed: number,
  patience: Patience,
  send: (item: Item) => Promise<void>,
  clients = CLIENTS,
): Promise<void> {
  for (let done = 0; done < count; done += ROUND) {
    await inParallel(fc.sample(items, { seed: seed + done, numRuns: ROUND }), clients, send)
    const plain = await patience.time('a plain lookup', (url) =>
      exchange(url, requestFor('/?Event=ProfileLookup&Users=1'), END),
    )
    expect(plain).toMatchObject({ status: 200, body: expect.stringContaining('"Username":"Ada"') })
  }
}

/** Checks an answer; XML is left for libxml2 to read at the end. */
function check({ status, headers, body }: RawAnswer, where: string, xml: Set<string>): void {
  expect(status, where).toBeLessThan(500)
  expectNoSecrets(JSON.stringify(headers), where)
  const type = headers['content-type'] ?? ''
  // The pages for browsers hold what libraries are made of; negotiation.test.ts reads them.
  if (type.startsWith('text/html')) return
  expectNoSecrets(body, `${where}\n${body.slice(0, 2000)}`)
  if (body !== '' && type.includes('json')) JSON.parse(body)
  if (body !== '' && type.includes('xml')) xml.add(body)
}

const shown = (seed: number, request: string) => `SEED=${seed}: ${JSON.stringify(request.slice(0, 3000))}`
const count = (number: number) => number.toLocaleString('en')

test(`${WELL_FORMED} well-formed requests are answered`, { timeout: 300_000 }, async (context) => {
  const seed = seedOf('http/fuzz.test.ts, well-formed')
  const patience = createPatience(gateway)
  const xml = new Set<string>()
  await sendAll(wellFormed, WELL_FORMED, seed, patience, async (request) => {
    const where = shown(seed, request)
    check(await patience.time(where, (url) => exchange(url, request, END)), where, xml)
  })
  await xmlFacts([...xml], publishedXsd)
  note(context, {
    promise: 7,
    what: `${count(WELL_FORMED)} generated well-formed requests over raw sockets: answered, bodies well-formed`,
    bound: 'no 500, no hang > 1 s',
    measured: await patience.settle(),
  })
})

test(`${MALFORMED} malformed requests are answered or cut`, { timeout: 300_000 }, async (context) => {
  const seed = seedOf('http/fuzz.test.ts, malformed')
  const patience = createPatience(gateway)
  const xml = new Set<string>()
  const statuses = new Map<number, number>()
  await sendAll(fc.oneof(malformed, strange), MALFORMED, seed, patience, async (request) => {
    const where = shown(seed, request)
    const received = await patience.time(where, (url) => sendAndEnd(url, request))
    // To HEAD the body's length is told, and no body comes; with such bytes it is unknown which
    // request an answer is for.
    if (request.includes('HEAD')) return
    for (const answer of readAnswers(received)) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      check(answer, where, xml)
    }
  })
  await xmlFacts([...xml], publishedXsd)
  // Whether they were worth sending; of a few, chance may make fewer.
  expect(statuses.get(200)).toBeGreaterThan(MALFORMED * figure(0.03, 0.05))
  expect(statuses.get(400)).toBeGreaterThan(MALFORMED * 0.2)
  note(context, {
    promise: 7,
    what: `${count(MALFORMED)} generated malformed requests over raw sockets: answered or cut`,
    bound: 'no 500, no hang > 1 s',
    measured: await patience.settle(),
  })
})

/**
 * Sends what may be half of a request, and ends our side. @returns all that came until the other side ended
 * too
 */
function sendAndEnd(url: string, request: string): Promise<string> {
  return talking(url, async ({ socket, write, ended }) => {
    let received = ''
    socket.on('data', (text) => {
      received += text
    })
    write(request)
    // What is complete is answered meanwhile.
    await pause(30)
    socket.end()
    await ended(END)
    return received
  })
}

test(`${PIPELINES} pipelines are answered in order`, { timeout: 300_000 }, async (context) => {
  const seed = seedOf('http/fuzz.test.ts, pipelines')
  const patience = createPatience(gateway)
  const alone = new Map<string, Promise<RawAnswer>>()
  const askAlone = (request: string) => {
    const known = alone.get(request) ?? exchange(gateway.url, request, END).then(stable)
    alone.set(request, known)
    return known
  }
  let requests = 0
  const compare = async (all: Pipeline) => {
    const where = shown(seed, all.packets.join(' | '))
    const answers = await patience.time(where, (url) => sendPipeline(url, all))
    const expected = await Promise.all(all.requests.map(askAlone))
    expect(answers.map(stable), where).toEqual(expected)
    requests += answers.length
  }
  await sendAll(pipeline, PIPELINES, seed, patience, compare, PIPELINING_CLIENTS)
  note(context, {
    promise: 7,
    what: `${count(requests)} requests in ${count(PIPELINES)} pipelines, cut at any byte: answered in order, each as if it were alone`,
    bound: 'no 500, no hang > 1 s',
    measured: await patience.settle(),
  })
})

function sendPipeline(url: string, { requests, packets }: Pipeline): Promise<RawAnswer[]> {
  return talking(url, async ({ write, answer }) => {
    for (const packet of packets) {
      write(packet)
      await pause(1)
    }
    const answers: RawAnswer[] = []
    for (const request of requests)
      answers.push(await answer({ head: request.startsWith('HEAD'), within: END }))
    return answers
  })
}

/** An answer without what differs from one time to the next. */
function stable({ status, headers, body }: RawAnswer): RawAnswer {
  const { date: _date, 'x-request-id': _id, ...same } = headers
  return { status, headers: same, body }
}
