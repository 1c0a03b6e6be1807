// What an old service sends costs processor time in proportion to its size, whatever it is.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowanceFor } from '../../../src/migration/answers/allowance.ts'
import { compareReplies } from '../../../src/migration/answers/compare.ts'
import { compareWithBoth } from '../../../src/migration/answers/learn.ts'
import { findChat } from '../../../src/migration/probe/chat.ts'
import { describeOutcome } from '../../../src/migration/probe/describe.ts'
import { describeFields, describeOrder, describeXml } from '../../../src/migration/probe/describe-shape.ts'
import { jsonForm, xmlForm } from '../../../src/migration/probe/form.ts'
import type { Reply } from '../../../src/stores/old-service/call.ts'
import { figure } from '../../kit/figures.ts'
import { hostileJson, hostileOthers, hostileXml, numbered, repeated } from './hostile-answers.ts'
import { expectLinear } from './linear-cost.ts'

const reply = (body: string, status = 200): Reply => ({ status, headers: {}, body: Buffer.from(body) })
/** What a gateway would answer. */
const usual = (body: string) =>
  reply(body.startsWith('<') ? '<S><Data Value="1"><A/></Data></S>' : '{"1":{"A":1}}')

type Make = (size: number) => string
const named = (kind: string, makes: Readonly<Record<string, Make>>) =>
  Object.entries(makes).map(([name, make]): [string, Make] => [`${kind}: ${name}`, make])
const answers = [
  ...named('JSON', hostileJson),
  ...named('XML', hostileXml),
  ...named('neither', hostileOthers),
]

describe('comparing', () => {
  /**
   * Milliseconds. A quiet machine takes less than a third of 250; beside other work it may take more. What is
   * quadratic takes seconds.
   */
  const MOST = figure(1_000, 250)

  function expectLinearComparison(make: Make, pair: (body: string) => [old: Reply, fresh: Reply]): void {
    expectLinear(MOST, (size) => {
      const [old, fresh] = pair(make(size))
      return () => compareReplies(old, fresh)
    })
  }

  test.each(answers)('%s', (_, make) => {
    expectLinearComparison(make, (body) => [reply(body), usual(body)])
  })

  test.each(answers)('%s, beside the same in other bytes', (_, make) => {
    const half: Make = (size) => make(size / 2)
    expectLinearComparison(half, (body) => [reply(body), reply(`${body} `)])
  })

  test.each(answers)('%s, as a refusal', (_, make) => {
    expectLinearComparison(make, (body) => [reply(body, 400), usual(body)])
  })

  const ignore = ['Id', 'Rank', 'DownloadLink'].map((field) => ({ event: null, field }))
  const allow = allowanceFor({ ignore, tolerate: [{ event: null, field: 'JoinDate', by: '60' }] }, '')
  /** Fields with the names and the values that make the most work of what does not count. */
  const noisy: Readonly<Record<string, Make>> = {
    'many values to ignore': (size) => `{${numbered((at) => `"${at}":{"Rank":${at}},`, size)}"x":0}`,
    'many numbers to subtract': (size) =>
      `{${numbered((at) => `"${at}":{"JoinDate":1${'0'.repeat(55)}${at}e-70},`, size)}"x":0}`,
    'a long number to subtract': (size) => `{"1":{"JoinDate":1${'9'.repeat(size)}}}`,
    'many fields twice': (size) => `<S><Data Value="1">${'<Rank>1</Rank>'.repeat(size / 14)}</Data></S>`,
    'a long name': (size) => `{"1":{"${'a'.repeat(size)}DownloadLink":1}}`,
    'many names': (size) =>
      `{"1":{${numbered((at) => `"${'a'.repeat(40)}${at}DownloadLink":1,`, size)}"x":0}}`,
  }

  test.each(Object.entries(noisy))('what does not count: %s', (_, make) => {
    const changed = (body: string) => body.replace(/(?<=[":>])1|(?<=":)(\d)/g, '2')
    expectLinear(MOST, (size) => {
      const [old, fresh] = [reply(make(size / 2)), reply(changed(make(size / 2)))]
      return () => compareReplies(old, fresh, allow)
    })
  })

  test.each([...answers, ...Object.entries(noisy)])('%s, learnt from', (_, make) => {
    expectLinear(3 * MOST, (size) => {
      const body = make(size / 3)
      const replies = { old: reply(body), again: reply(body.replaceAll('1', '2')), fresh: usual(body) }
      return () => compareWithBoth(replies, allow)
    })
  })

  test('whatever is repeated', () => {
    fc.assert(
      fc.property(repeated, (make) => expectLinearComparison(make, (body) => [reply(body), usual(body)])),
    )
  })

  test('an encoding that a header names', () => {
    expectLinear(MOST, (size) => {
      const old = { ...reply('{}'), headers: { 'content-type': 'charset='.repeat(size / 8) } }
      return () => compareReplies(old, reply('{"1":{}}'))
    })
  })
})

describe('describing', () => {
  const describes = [
    jsonForm,
    xmlForm,
    (outcome: Reply) => describeOutcome(outcome, ['1']),
    (outcome: Reply) => describeFields(outcome, '1'),
    (outcome: Reply) => describeXml(outcome, '1'),
    describeOrder,
  ]
  function expectLinearDescription(make: Make): void {
    // Most of them read the answer again.
    expectLinear(2_000, (size) => {
      const old = reply(make(size))
      return () => {
        for (const describe of describes) expect(describe(old).length).toBeLessThan(10_000)
      }
    })
  }

  test.each(answers)('%s', (_, make) => {
    expectLinearDescription(make)
  })

  test('whatever is repeated', () => {
    fc.assert(fc.property(repeated, expectLinearDescription), { numRuns: 30 })
  })

  test.each(['of ', 'are ', ':', '"a" ', '"', 'aa', ' '])(
    'a list of methods that never begins: %j',
    async (unit) => {
      const ask = async () => reply(`{"error":"${unit.repeat(100_000).replaceAll('"', '\\"')}:"}`)
      const before = process.cpuUsage()
      await findChat(ask, { users: [] }, [], [])
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1_000).toBeLessThan(1_000)
    },
  )
})

test('differences are told up to a number, and each in a few words', () => {
  const many = (size: number, value: string) =>
    reply(`{"1":{${Array.from({ length: size }, (_, at) => `"${'a'.repeat(300)}${at}":"${value}"`).join()}}}`)
  const { differences } = compareReplies(many(1_000, 'x'.repeat(300)), many(1_000, 'y'))
  // Their names are the same as far as they are told.
  expect(differences).toHaveLength(1)
  const fields = (size: number) =>
    reply(`{"1":{${Array.from({ length: size }, (_, at) => `"${at}":1`).join()}}}`)
  expect(compareReplies(fields(10_000), reply('{"1":{"a":1}}')).differences).toHaveLength(100)
  for (const { field, old } of differences) expect([field.length, old.length]).toEqual([65, 201])
})
