// What errors of Node, of the drivers and of the gateway itself mean, over both engines.

import { describe, expect, test } from 'vitest'
import { errors as mysql } from '../../../src/stores/mysql/errors.ts'
import { errors as postgres } from '../../../src/stores/postgres/errors.ts'
import { QueryTimeout } from '../../../src/stores/servers/errors.ts'
import { type Kind, kindsOf } from './error-suite.ts'

/** As Node makes them: with the code that the text has. */
const nodeError = (text: string) => Object.assign(new Error(text), { code: text.split(' ')[1], errno: -1 })
const refused = nodeError('connect ECONNREFUSED 127.0.0.1:1')
const retry: readonly Kind[] = ['isWorthRetrying']
const passing: readonly Kind[] = ['isPassing', 'isWorthRetrying']
const lost: readonly Kind[] = ['isConnectionLost', 'isPassing', 'isWorthRetrying']
const RUNNING = /Check that the server is running and that the address is correct\.$/

describe.for([
  ['PostgreSQL', postgres],
  ['MySQL', mysql],
] as const)('%s', ([, errors]) => {
  test.for<[error: unknown, says: RegExp, kinds: readonly Kind[]]>([
    [new QueryTimeout(150), /^no response within 150 ms\. .*overload\. .*raise DATABASE_TIMEOUT\.$/, passing],
    [refused, RUNNING, passing],
    [nodeError('getaddrinfo ENOTFOUND db.invalid'), RUNNING, passing],
    [nodeError('getaddrinfo EAI_AGAIN db'), RUNNING, passing],
    [nodeError('read ECONNRESET'), /^read ECONNRESET\.$/, lost],
    [nodeError('write EPIPE'), /^write EPIPE\.$/, lost],
    // A name with two addresses: both refuse, or one has another problem.
    [
      new AggregateError([refused, new QueryTimeout(9)]),
      /127\.0\.0\.1:1; no response within 9 ms\./,
      passing,
    ],
    [new AggregateError([refused, new Error('bad')]), /127\.0\.0\.1:1; bad\./, retry],
    [new Error('self-signed certificate'), /certificate\. Set ss.*FILE to the certificate authority/, retry],
  ])('%s', ([error, says, expected]) => {
    expect(errors.describeError(error)).toMatch(says)
    expect(kindsOf(errors, error)).toEqual(expected)
  })
})

test.for([
  [postgres, 'Client has encountered a connection error and is not queryable', lost],
  [postgres, 'Connection terminated unexpectedly', lost],
  [postgres, 'timeout expired', passing],
  [mysql, "Can't add new command when connection is in closed state", lost],
  [mysql, 'Connection lost: The server closed the connection.', lost],
  [mysql, 'connect ETIMEDOUT', passing],
] as const)('the words of a driver: %#', ([errors, words, expected]) => {
  expect(kindsOf(errors, new Error(words))).toEqual(expected)
})
