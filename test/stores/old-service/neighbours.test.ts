// A gateway over an old service: what one client asks for never changes what another one gets.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { startGatewayOver } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { type OldService, startOldService } from '../../old-service/start.ts'
import { valuesIn } from './support.ts'

const byUsername = 'Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users='

async function startOver(url: string) {
  const gateway = await startGatewayOver({ DATABASE_URL: url })
  onTestFinished(gateway.close)
  const lookUp = (name: string) => fetch(`${gateway.url}/?${byUsername}${encodeURIComponent(name)}`)
  const post = async (values: readonly string[], accept = '*/*') => {
    const query = 'query ($values: [String!]!) { users(by: USERNAME, values: $values) { id } }'
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query, variables: { values } }),
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    }
  }
  return { lookUp, post }
}

describe.skipIf(!hasProgram('php'))('an old service in PHP, behind a firewall', () => {
  let old: OldService
  beforeAll(async () => {
    old = await startOldService()
  })
  afterAll(() => old.close())
  beforeEach(() => old.switchTo({ blocked: '<' }))

  test('a list with a name that it refuses is data and an error, and 200', async () => {
    const { post } = await startOver(old.url)
    // Interpreted at first, and compiled after some uses.
    for (let use = 1; use <= 6; use++) {
      for (const accept of ['application/json', 'application/graphql-response+json']) {
        expect(await post(['Ada', '<b>', 'a:b', 'mallory', 'nobody'], accept)).toEqual({
          status: 200,
          retryAfter: null,
          body: {
            data: { users: [{ id: '1' }, null, null, { id: '3' }, null] },
            errors: [expect.objectContaining({ path: ['users', 1], extensions: { code: 'UNAVAILABLE' } })],
          },
        })
      }
    }
  })

  test('a name that it refuses is 503 alone, and a name with a colon is unknown', async () => {
    const { lookUp, post } = await startOver(old.url)
    expect(await post(['<b>'])).toMatchObject({ status: 503, body: { data: null } })
    expect(await post(['a:b'])).toEqual({ status: 200, retryAfter: null, body: { data: { users: [null] } } })
    const refused = await lookUp('<b>')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect((await lookUp('Ada')).status).toBe(200)
  })

  test('neighbours are answered meanwhile', async () => {
    const { lookUp, post } = await startOver(old.url)
    // What words an error is loaded when it is first needed.
    await post(['Ada', '<b>'])
    const until = performance.now() + 1_500
    const attacks: number[] = []
    const answers: string[] = []
    const attack = async (client: number) => {
      for (let at = 0; performance.now() < until; at++)
        attacks.push((await post(['Ada', `<${client}-${at}>`, 'a:b'])).status)
    }
    const visit = async (name: string, body: string) => {
      while (performance.now() < until) {
        const response = await lookUp(name)
        answers.push(response.status === 200 && (await response.text()).includes(body) ? 'right' : 'wrong')
        await sleep(5)
      }
    }
    await Promise.all([
      ...[1, 2, 3].map(attack),
      ...Array.from({ length: 8 }, () => visit('aDa', '"Id":1,')),
      ...Array.from({ length: 8 }, () => visit('nobody', '{}')),
    ])
    expect(new Set(attacks)).toEqual(new Set([200]))
    expect(answers.length).toBeGreaterThan(100)
    expect(new Set(answers)).toEqual(new Set(['right']))
  })
})

test('a thousand spellings of a name are few calls, and neighbours are answered meanwhile', async () => {
  const service = await startAnswering(({ url = '' }, response) => {
    // Entries are named as users are stored: in lower case.
    const found = valuesIn(url).map((value) => [
      value.toLowerCase(),
      { ...userOf('7'), Username: value.toLowerCase() },
    ])
    setTimeout(() => response.end(JSON.stringify(Object.fromEntries(found))), 10)
  })
  onTestFinished(service.close)
  const { lookUp, post } = await startOver(service.url)
  const names = Array.from({ length: 1000 }, (_, mask) =>
    [...'abcdefghij'].map((letter, at) => ((mask >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  await lookUp('warm')
  const attack = post(names)
  await sleep(5)
  const neighbours = await Promise.all(names.slice(0, 40).map((_, at) => lookUp(`u${at}`)))
  expect(neighbours.map(({ status }) => status)).toEqual(Array(40).fill(200))
  const { status, body } = await attack
  expect(status).toBe(200)
  expect(body).toEqual({ data: { users: names.map(() => ({ id: '7' })) } })
  // 10 of 100 values. The one with the stored spelling leaves the other spellings unclear.
  expect(service.asked.filter((target) => /=abcdefghij/i.test(target))).toHaveLength(11)
})
