import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(() => place.remove())

const root = new URL('../../..', import.meta.url).pathname
const published = (file: string) => readFileSync(new URL(`../../../schema/${file}`, import.meta.url), 'utf8')

describe('prints what is published', () => {
  test.for([
    ['graphql', 'schema.graphql'],
    ['openapi', 'legacy.openapi.json'],
    ['xsd', 'legacy.xsd'],
  ])('%s, whatever is set', async ([contract = '', file = '']) => {
    const printed = await place.run(['schema', contract], { env: { LEGACY_SERVICE_NAME: 'Acme' } })
    expect(printed).toEqual({ status: 0, stdout: published(file), stderr: '' })
  })

  test('GraphQL where nothing is said', async () => {
    const { stdout } = await place.run(['schema'])
    expect(stdout).toBe((await place.run(['schema', 'graphql'])).stdout)
    expect(Object.keys(buildSchema(stdout).getQueryType()?.getFields() ?? {})).toEqual([
      'users',
      'apps',
      'user',
      'app',
    ])
  })
})

describe('--check', () => {
  test('is silent where the files are fresh', async () => {
    expect(await place.run(['schema', '--check'])).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  test('is about the default dialect, whatever is set', async () => {
    const env = { LEGACY_SERVICE_NAME: 'Acme' }
    expect((await place.run(['schema', '--check'], { env })).status).toBe(0)
  })

  test('exits 1 and names the stale files; --write mends them', () => {
    for (const part of ['src', 'schema', 'package.json']) {
      cpSync(join(root, part), join(place.path, part), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(place.path, 'node_modules'))
    const run = (flag: string) =>
      spawnSync(process.execPath, ['src/lookup.js', 'schema', flag], { cwd: place.path, encoding: 'utf8' })
    appendFileSync(join(place.path, 'schema', 'legacy.xsd'), ' ')
    rmSync(join(place.path, 'schema', 'legacy.openapi.json'))
    const { status, stdout, stderr } = run('--check')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toBe('Stale: schema/legacy.openapi.json, schema/legacy.xsd. Run "npm run codegen".\n')
    expect(run('--write').status).toBe(0)
    expect(run('--check').status).toBe(0)
  })
})

test.for([
  [['--check', '--write'], '--check and --write exclude each other. Give one of them.\n'],
  [['openapi', '--check'], '--check and --write are for all contracts. Leave "openapi" out.\n'],
] as const)('schema refuses what it would ignore: %s', async ([flags, stderr]) => {
  expect(await place.run(['schema', ...flags])).toEqual({ status: 2, stdout: '', stderr })
})
