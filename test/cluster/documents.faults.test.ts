// The manifest of trusted documents: read at the start, and again after SIGHUP, without a failed request.

import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startLoad } from '../kit/load.ts'
import { readLog } from '../kit/log.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

const env = { GRAPHQL_DOCUMENTS: 'documents.json', GRAPHQL_ONLY_DOCUMENTS: 'on' }
const save = (documents: Readonly<Record<string, string>>) =>
  place.write('documents.json', JSON.stringify(documents, null, 2))

async function start(...flags: string[]) {
  const serving = await serve({ cwd: place.path, env }, ...flags)
  const log = readLog(serving.process.stderr)
  // The logger is loaded after the start.
  await expect.poll(() => log.of('documents-read').length).toBeGreaterThan(0)
  const url = originOf(serving.shown['Legacy JSON'])
  const answers = async (id: string) => {
    const response = await fetch(`${url}/graphql?documentId=${id}`, {
      headers: { accept: 'application/graphql-response+json' },
    })
    return response.status === 200
  }
  async function hangUp(expected: 'documents-read' | 'reload-failed' | 'restarted' | 'restart-failed') {
    const logged = log.next(expected, 15_000)
    serving.process.kill('SIGHUP')
    return logged
  }
  return { ...serving, url, log, answers, hangUp }
}

const one = { one: '{ __typename }' }
const two = { ...one, two: '{ users(values: "1") { id } }' }
const wrong = { ...two, wrong: '{ nothing }' }

test('SIGHUP reads it again, and one that cannot be used leaves the one before', async () => {
  save(one)
  const { url, answers, hangUp, stop } = await start()
  expect([await answers('one'), await answers('two')]).toEqual([true, false])
  const load = startLoad(url, { query: () => 'Event=ProfileLookup&Users=1' })
  save(two)
  expect(await hangUp('documents-read')).toMatchObject({ level: 'info', path: 'documents.json', count: 2 })
  expect([await answers('one'), await answers('two')]).toEqual([true, true])
  save(wrong)
  expect(await hangUp('reload-failed')).toMatchObject({
    reason: expect.stringContaining('documents.json: the document "wrong": Cannot query field "nothing"'),
  })
  expect([await answers('one'), await answers('two')]).toEqual([true, true])
  expect((await load.stop()).filter(({ status }) => status !== 200)).toEqual([])
  expect(await stop()).toMatchObject({ status: 0 })
})

test('with workers, those that take over read it', async () => {
  save(one)
  const { answers, hangUp } = await start('--workers', '2')
  save(two)
  await hangUp('restarted')
  for (let turn = 0; turn < 4; turn++) expect(await answers('two')).toBe(true)
  save(wrong)
  await hangUp('restart-failed')
  for (let turn = 0; turn < 4; turn++) expect(await answers('two')).toBe(true)
})

test.each([
  ['is not there', () => {}, /\n {2}documents\.json: ENOENT: .*\n$/],
  [
    'is of 100 MB',
    () => {
      place.write('documents.json', '')
      truncateSync(join(place.path, 'documents.json'), 100e6)
    },
    /\n {2}documents\.json: more than 4 MiB\n$/,
  ],
  ['is no JSON', () => place.write('documents.json', '{\n}}'), /\n {2}documents\.json: .* JSON .*\n$/],
  ['does not fit the schema', () => save(wrong), /\n {2}documents\.json: the document "wrong": .*\n$/],
] as const)(
  'one that %s keeps the gateway from starting, with a complaint and no stack',
  async (_what, make, said) => {
    make()
    for (const flags of [[], ['--workers', '2']]) {
      const { status, stderr } = await place.run(['serve', ...flags], {
        env: { ...env, PORT: '0', ADMIN_PORT: '0' },
      })
      expect(status).toBe(2)
      expect(stderr.replace('No worker could start.\n', '')).toMatch(said)
      expect(stderr).not.toMatch(/^\s+at /m)
    }
  },
)
