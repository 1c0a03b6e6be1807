// Errors with status 200, as services have them that know no other.

import { expect, test } from 'vitest'
import { meaningOf } from '../../../src/migration/answers/read.ts'

const kindOf = (body: string) => meaningOf({ status: 200, headers: {}, body: Buffer.from(body) }).kind

test.each([
  'ERROR: no users given',
  'users?\n',
  '{"error":true,"message":"No match"}',
  '{"ErrorCode":3,"ErrorMessage":"No such user"}',
  '{"Status":"Error","Message":"Invalid"}',
  '{"detail":"No such user"}',
  '<ServiceAPI><Message>No such user</Message></ServiceAPI>',
  '<ServiceAPI><Status>Error</Status><Message>Invalid</Message></ServiceAPI>',
])('%s is a refusal', (body) => {
  expect(kindOf(body)).toBe('refusal')
})

test.each([
  '{"message":false}',
  '{"message":{"Id":1}}',
  '{"message":"","detail":null}',
  '{"1":{"Id":1},"message":"x"}',
  '<ServiceAPI><Data Value="1"><Id>1</Id></Data><Message>x</Message></ServiceAPI>',
])('%s is an answer', (body) => {
  expect(kindOf(body)).toBe('entries')
})

test.each(['', '\nWarning: x in y on line 3', 'Warning: x in y.php on line 3', 'x'.repeat(501)])(
  '%j cannot be read',
  (body) => {
    expect(kindOf(body)).toBe('unreadable')
  },
)
