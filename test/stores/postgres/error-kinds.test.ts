// What a lookup does about PostgreSQL's errors, on errors that real servers make.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  isAboutData,
  isConnectionLost,
  isStalePlan,
  isUntranslatable,
  isWorthRetrying,
  sqlState,
} from '../../../src/stores/postgres/errors.ts'
import { makeDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { failureAt, failureOfLogin, raised } from './failures.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.remove())

const questions = { isAboutData, isWorthRetrying, isUntranslatable, isStalePlan, isConnectionLost }
type Case = readonly [what: string, fail: () => Promise<unknown>, yes: readonly (keyof typeof questions)[]]
const lost = [
  'read ECONNRESET',
  'write EPIPE',
  'Client has encountered a connection error and is not queryable',
]

/** As Node makes them: with the code that the text has. */
const nodeError = (text: string) => Object.assign(new Error(text), { code: text.split(' ')[1] })

test.for<Case>([
  ['a value out of range', () => failureAt(database.url, 'SELECT 70000::smallint'), ['isAboutData']],
  [
    'a character that the encoding lacks',
    () => raised(database.url, '22P05'),
    ['isAboutData', 'isUntranslatable'],
  ],
  [
    'a statement that took too long',
    () => failureAt(database.url, 'SET statement_timeout = 10; SELECT pg_sleep(5)'),
    [],
  ],
  ['a plan that changed', () => raised(database.url, '0A000'), ['isWorthRetrying', 'isStalePlan']],
  [
    'a plan that is not there',
    () => failureAt(database.url, 'EXECUTE nothing'),
    ['isWorthRetrying', 'isStalePlan'],
  ],
  [
    'a session that is ended',
    () => failureAt(database.url, 'SELECT pg_terminate_backend(pg_backend_pid())'),
    ['isWorthRetrying', 'isConnectionLost'],
  ],
  ['a broken connection', () => raised(database.url, '08003'), ['isWorthRetrying', 'isConnectionLost']],
  ['a server that hangs up', () => failureOfLogin(true), ['isWorthRetrying', 'isConnectionLost']],
  ['a login without an answer', () => failureOfLogin(false), ['isWorthRetrying']],
  ['a server that starts', () => raised(database.url, '57P03'), ['isWorthRetrying']],
  ['a failing disk', () => raised(database.url, '58030'), ['isWorthRetrying']],
  ['a state that only ends like one of these', () => raised(database.url, '42P22'), ['isWorthRetrying']],
  [
    'text of a state in its words',
    () => raised(database.url, 'P0001', '08006 22P05 57014 0A000'),
    ['isWorthRetrying'],
  ],
  ...lost.map((text): Case => [text, async () => nodeError(text), ['isWorthRetrying', 'isConnectionLost']]),
  ['what is no error', async () => 'ECONNRESET', ['isWorthRetrying']],
])('%s', async ([, fail, yes]) => {
  const error = await fail()
  const answered = Object.entries(questions).filter(([, isSo]) => isSo(error))
  expect(answered.map(([name]) => name)).toEqual(yes)
})

test('only PostgreSQL has states', async () => {
  expect(sqlState(await raised(database.url, 'P0002'))).toBe('P0002')
  expect(sqlState(await failureAt('postgres://a@127.0.0.1:1/x'))).toBe(null)
  expect(sqlState(Object.assign(new Error(), { code: 'EPIPE1' }))).toBe(null)
  expect(sqlState(Object.assign(new Error(), { code: 22012 }))).toBe(null)
  expect(sqlState({ code: '22012' })).toBe(null)
})
