// What a lookup does about PostgreSQL's errors, on errors that real servers make.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { errors, isStalePlan, sqlState } from '../../../src/stores/postgres/errors.ts'
import { makeDatabase, type TestDatabase } from '../../kit/postgres/database.ts'
import { type ErrorCase, errorKindsSuite, kindsOf } from '../servers/error-kinds-suite.ts'
import { failureAt, failureOfLogin, raised } from './failures.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.remove())

const lost = [
  'read ECONNRESET',
  'write EPIPE',
  'Client has encountered a connection error and is not queryable',
]

/** As Node makes them: with the code that the text has. */
const nodeError = (text: string) => Object.assign(new Error(text), { code: text.split(' ')[1] })

const kinds = { ...kindsOf(errors), isStalePlan }
errorKindsSuite(kinds, [
  ['a value out of range', () => failureAt(database.url, 'SELECT 70000::smallint'), ['isAboutData']],
  [
    'a character that the encoding lacks',
    () => raised(database.url, '22P05'),
    ['isAboutData', 'isUntranslatable'],
  ],
  [
    'a statement that took too long',
    () => failureAt(database.url, 'SET statement_timeout = 10; SELECT pg_sleep(5)'),
    ['isStatementTooSlow', 'isCancelled'],
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
    ['isWorthRetrying', 'isConnectionLost', 'isPassing'],
  ],
  [
    'a broken connection',
    () => raised(database.url, '08003'),
    ['isWorthRetrying', 'isConnectionLost', 'isPassing'],
  ],
  [
    'a server that hangs up',
    () => failureOfLogin(true),
    ['isWorthRetrying', 'isConnectionLost', 'isPassing'],
  ],
  ['a login without an answer', () => failureOfLogin(false), ['isWorthRetrying', 'isPassing']],
  ['a server that starts', () => raised(database.url, '57P03'), ['isWorthRetrying', 'isPassing']],
  ['a failing disk', () => raised(database.url, '58030'), ['isWorthRetrying']],
  ['a state that only ends like one of these', () => raised(database.url, '42P22'), ['isWorthRetrying']],
  [
    'text of a state in its words',
    () => raised(database.url, 'P0001', '08006 22P05 57014 0A000'),
    ['isWorthRetrying'],
  ],
  ...lost.map(
    (text): ErrorCase<keyof typeof kinds> => [
      text,
      async () => nodeError(text),
      ['isWorthRetrying', 'isConnectionLost', 'isPassing'],
    ],
  ),
  ['what is no error', async () => 'ECONNRESET', ['isWorthRetrying']],
])

test('only PostgreSQL has states', async () => {
  expect(sqlState(await raised(database.url, 'P0002'))).toBe('P0002')
  expect(sqlState(await failureAt('postgres://a@127.0.0.1:1/x'))).toBe(null)
  expect(sqlState(Object.assign(new Error(), { code: 'EPIPE1' }))).toBe(null)
  expect(sqlState(Object.assign(new Error(), { code: 22012 }))).toBe(null)
  expect(sqlState({ code: '22012' })).toBe(null)
})
