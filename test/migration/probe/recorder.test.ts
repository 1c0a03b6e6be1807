// Errors that a probe records: the value of the request becomes `{value}`, what errors share their template.

import { describe, expect, test } from 'vitest'
import { errorsOf } from '../../../src/migration/probe/read-off.ts'
import { createRecorder } from '../../../src/migration/probe/recorder.ts'
import { errorRequests } from '../../../src/migration/probe/requests.ts'
import type { OldServiceResponse } from '../../../src/stores/old-service/call.ts'

const noRows = { users: [], apps: [] }
const requests = errorRequests({ users: ['1'], apps: [] })
const { otherEvent, noUsers } = requests

const reply = (body: string): OldServiceResponse => ({
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
})

test.for([
  ['{"error":"No event x"}', '{"error":"Users are missing"}', '{"error":"{message}"}'],
  [
    String.raw`{"error":"Ung\u00fcltiges Ereignis"}`,
    String.raw`{"error":"Ung\u00fcltige Liste"}`,
    '{"error":"{message}"}',
  ],
  ['<e>Ung&#252;ltig: a</e>', '<e>Ung&#252;ltig: b</e>', '<e>Ung&#252;ltig:{message}</e>'],
  ['{"error":"wrong"}', '{"error":"wrong"}', '{"error":"wrong"}'],
] as const)('the template of %s and %s', ([event, list, template]) => {
  const outcomes = new Map([
    [otherEvent?.[1] ?? '', reply(event)],
    [noUsers?.[1] ?? '', reply(list)],
  ])
  const values = errorsOf(createRecorder(noRows, []), outcomes, requests)
  const body: unknown = expect.objectContaining({ body: template })
  expect(values).toContainEqual([['errors', 'other', 'json'], body])
})

describe('the value of a request', () => {
  test.for([
    ['50', '{"error":"More than 50 values"}', '{"error":"More than {value} values"}'],
    [
      '1',
      '<?xml version="1.0"?><e code="101">1 value</e>',
      '<?xml version="1.0"?><e code="101">{value} value</e>',
    ],
    ['1', '{"error":"At most 1."}', '{"error":"At most {value}."}'],
    ['qwxz', '{"error":"qwxz is no id"}', '{"error":"{value} is no id"}'],
  ] as const)('%s in %s', ([value, body, recorded]) => {
    expect(createRecorder(noRows, [])(reply(body), value)?.body).toBe(recorded)
  })
})

test.for([
  ['{"error":"Ada, alias Ada of the Hill"}', null],
  ['{"error":"J\\u00f8rgen, alias J&oslash;rgen S&oslash;"}', null],
  ['{"error":"no such user"}', '{"error":"no such user"}'],
] as const)('%s is recorded as %j', ([body, recorded]) => {
  const user = { rank: 0, joinDate: 0, isConfirmed: true, banned: false }
  const users = [
    { ...user, id: 1, username: 'Ada', displayName: 'Ada of the Hill' },
    { ...user, id: 2, username: 'Jørgen', displayName: 'Jørgen Sø' },
  ]
  expect(createRecorder({ users, apps: [] }, [])(reply(body), '')?.body ?? null).toBe(recorded)
})
