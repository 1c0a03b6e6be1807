// What errors of Node, of the drivers and of the gateway itself mean, over both engines.

import { describe, expect, test } from 'vitest'
import { errors as mysql } from '../../../src/stores/mysql/errors.ts'
import { errors as postgres } from '../../../src/stores/postgres/errors.ts'
import { QueryTimeout } from '../../../src/stores/servers/errors.ts'
import { kindsOf } from './error-suite.ts'

/** As Node makes them: with the code that the text has. */
const nodeError = (text: string) => Object.assign(new Error(text), { code: text.split(' ')[1], errno: -1 })
const refused = nodeError('connect ECONNREFUSED 127.0.0.1:1')
const running = /Check that the server is running and that the address is correct\.$/

describe.for([
  ['PostgreSQL', postgres],
  ['MySQL', mysql],
] as const)('%s', ([, errors]) => {
  test.for<[error: unknown, says: RegExp, letters: string]>([
    [new QueryTimeout(150), /^no response within 150 ms\. .*overload\. .*raise DATABASE_TIMEOUT\.$/, 'pr'],
    [refused, running, 'pr'],
    [nodeError('getaddrinfo EAI_AGAIN db'), running, 'pr'],
    [nodeError('read ECONNRESET'), /^read ECONNRESET\.$/, 'cpr'],
    // A name with two addresses: both refuse, or one has another problem.
    [new AggregateError([refused, new QueryTimeout(9)]), /127\.0\.0\.1:1; no response within 9 ms\./, 'pr'],
    [new AggregateError([refused, new Error('bad')]), /127\.0\.0\.1:1; bad\./, 'r'],
    [new Error('self-signed certificate'), /certificate\. Set ss.*FILE to the certificate authority/, 'r'],
  ])('%s', ([error, says, letters]) => {
    expect(errors.describeError(error)).toMatch(says)
    expect(kindsOf(errors, error)).toBe(letters)
  })
})

test.for([
  [postgres, 'Client has encountered a connection error and is not queryable', 'cpr'],
  [postgres, 'Connection terminated unexpectedly', 'cpr'],
  [postgres, 'timeout expired', 'pr'],
  [mysql, "Can't add new command when connection is in closed state", 'cpr'],
  [mysql, 'Connection lost: The server closed the connection.', 'cpr'],
  [mysql, 'connect ETIMEDOUT', 'pr'],
] as const)('the words of a driver: %#', ([errors, words, letters]) => {
  const error = new Error(words)
  expect(kindsOf(errors, error)).toBe(letters)
  if (letters === 'pr')
    expect(errors.describeError(error)).toMatch(/^no connection in time\. .* raise DATABASE_TIMEOUT\.$/)
})
