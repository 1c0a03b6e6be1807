// Comparing in a worker thread: what it says, and that a thread in trouble fails one comparison and no more.

import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ComparisonFailed, createComparer } from '../../../src/migration/answers/comparer.ts'
import type { Reply } from '../../../src/stores/old-service/call.ts'

const reply = (body: string, contentType = 'application/json'): Reply => ({
  status: 200,
  headers: { 'content-type': contentType, date: 'today' },
  body: Buffer.from(body, 'latin1'),
})

function comparer(...options: Parameters<typeof createComparer>) {
  const made = createComparer(...options)
  onTestFinished(made.close)
  return made
}

const nothingIgnored = { ignored: [], unsteady: [] }

describe('what it says', () => {
  test('fields and kinds, and nothing of what they hold', async () => {
    const { compare } = comparer()
    expect(await compare(reply('{"1":{"A":1,"B":2}}'), reply('{"1":{"A":"1"}}'))).toEqual({
      bytes: 'different',
      differences: [
        { field: 'B', kind: 'missing' },
        { field: 'A', kind: 'type' },
      ],
      ...nothingIgnored,
    })
    expect(await compare(reply('{"1":{"A":1.0}}'), reply('{"1":{"A":1}}'))).toEqual({
      bytes: 'different',
      differences: [],
      ...nothingIgnored,
    })
  })

  test('in the encoding that a header names', async () => {
    const { compare } = comparer()
    const latin = reply('{"1":{"A":"\u00e9"}}', 'application/json; charset=ISO-8859-1')
    const utf = { ...latin, headers: {}, body: Buffer.from('{"1":{"A":"\u00e9"}}') }
    expect((await compare(latin, utf)).differences).toEqual([])
  })

  test('replies are as they were afterwards: an answer is sent again', async () => {
    const { compare } = comparer()
    const replies = [reply('{"1":null}'), reply(`{"1":"${'x'.repeat(100_000)}"}`)] as const
    await compare(...replies)
    expect(replies.map(({ body }) => body.length)).toEqual([10, 100_008])
  })

  test('many at a time, each its own', async () => {
    const { compare } = comparer()
    const compared = await Promise.all(
      Array.from({ length: 20 }, (_, at) => compare(reply(`{"1":{"A${at}":1}}`), reply('{"1":{}}'))),
    )
    expect(compared.map(({ differences }) => differences[0]?.field)).toEqual(
      Array.from({ length: 20 }, (_, at) => `A${at}`),
    )
  })
})

test('same bytes need no thread', async () => {
  const { compare } = comparer(new URL('file:///nowhere.ts'))
  expect(await compare(reply('compute for ever'), reply('compute for ever'))).toEqual({
    bytes: 'same',
    differences: [],
    ...nothingIgnored,
  })
})

describe('a thread in trouble fails one comparison, and the next one has another', () => {
  const LIMIT = 1_000
  const failing = () => comparer(new URL('./threads/failing.ts', import.meta.url), LIMIT).compare

  test.each([
    ['compute for ever', `comparing took longer than ${LIMIT} ms`],
    ['throw', 'comparing failed: a mistake of ours'],
    ['exit', `comparing took longer than ${LIMIT} ms`],
  ])('%s', async (order, reason) => {
    const compare = failing()
    await compare(reply('start'), reply(''))
    await expect(compare(reply(order), reply(''))).rejects.toThrow(new ComparisonFailed(reason))
    expect(await compare(reply('go on'), reply(''))).toMatchObject({ bytes: 'different' })
  })

  test('one that ends between two comparisons', async () => {
    const compare = failing()
    await compare(reply('exit later'), reply(''))
    await sleep(200)
    expect(await compare(reply('go on'), reply(''))).toMatchObject({ bytes: 'different' })
  })

  test('one that does not start', async () => {
    const { compare } = comparer(new URL('file:///nowhere.ts'), LIMIT)
    for (const _ of [1, 2])
      await expect(compare(reply('x'), reply(''))).rejects.toThrow(/^comparing failed: Cannot find module/)
  })
})

test('closing fails what is not compared, and ends a thread that computes', async () => {
  const { compare, close } = createComparer(new URL('./threads/failing.ts', import.meta.url))
  const both = [compare(reply('compute for ever'), reply('')), compare(reply('go on'), reply(''))]
  await sleep(500)
  close()
  for (const one of await Promise.allSettled([...both, compare(reply('too late'), reply(''))]))
    expect(one).toMatchObject({ status: 'rejected', reason: expect.any(ComparisonFailed) })
})

test('neither the thread nor a comparison keeps a process alive', () => {
  const program = `
    import { createComparer } from './src/migration/answers/comparer.ts'
    const { compare } = createComparer()
    const reply = (body) => ({ status: 200, headers: {}, body: Buffer.from(body) })
    process.on('exit', () => process.stdout.write('over'))
    void compare(reply('{}'), reply('{"1":1}'))`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('../../..', import.meta.url),
    encoding: 'utf8',
  })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'over', stderr: '', status: 0 })
})
