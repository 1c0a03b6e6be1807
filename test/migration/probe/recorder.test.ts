// Errors that a probe records: the value of the request becomes `{value}`, what errors share their template.

import { expect, test } from 'vitest'
import { errorsOf } from '../../../src/migration/probe/read-off.ts'
import { createRecorder } from '../../../src/migration/probe/recorder.ts'
import { errorRequests } from '../../../src/migration/probe/requests.ts'

const requests = errorRequests({ users: ['1'], apps: [] })
const record = createRecorder({ users: [], apps: [] }, [])

const reply = (body: string) => {
  return { status: 400, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }
}

test.for([
  ['{"error":"No event x"}', '{"error":"Users are missing"}', '{"error":"{message}"}'],
  ['{"e":"Ung\\u00fcltiges Ereignis"}', '{"e":"Ung\\u00fcltige Liste"}', '{"e":"{message}"}'],
  ['<e>Ung&#252;ltig: a</e>', '<e>Ung&#252;ltig: b</e>', '<e>Ung&#252;ltig:{message}</e>'],
  ['{"error":"wrong"}', '{"error":"wrong"}', '{"error":"wrong"}'],
  ['{"c":"NoEvent","m":"No event"}', '{"c":"NoList","m":"Empty"}', '{"c":"{code}","m":"{message}"}'],
  ['{"c":12,"m":"No event"}', '{"c":17,"m":"Empty"}', '{"c":12,"m":"{message}"}'],
  ['<e><c>No</c><m>x</m></e>', '<e><c>Empty</c><m>y</m></e>', '<e><c>{code}</c><m>{message}</m></e>'],
] as const)('the template of %s and %s', ([event, list, template]) => {
  const outcomes = new Map([
    [requests.otherEvent[1], reply(event)],
    [requests.noUsers[1], reply(list)],
  ])
  const body: unknown = expect.objectContaining({ body: template })
  expect(errorsOf(record, outcomes, requests)).toContainEqual([['errors', 'other', 'json'], body])
})

test.for([
  ['50', '{"error":"More than 50 values"}', '{"error":"More than {value} values"}'],
  ['1', '<?xml version="1.0"?><e c="101">1 value</e>', '<?xml version="1.0"?><e c="101">{value} value</e>'],
  ['1', '{"error":"At most 1."}', '{"error":"At most {value}."}'],
  ['qwxz', '{"error":"qwxz is no id"}', '{"error":"{value} is no id"}'],
] as const)('the value %s in %s', ([value, body, recorded]) => {
  expect(record(reply(body), value)?.body).toBe(recorded)
})
