// Answers that every client is given.

import type { Answer } from '../claim.ts'

export const refused: Answer = { status: 404, body: '{}' }
/** A redirect that leads nowhere. */
export const redirected: Answer = { status: 300, body: '{}' }
export const found = '{"1":{"id":1,"name":"a"}}'
export const xml = (body: string | Uint8Array, type = 'application/xml; charset=utf-8'): Answer => ({
  type,
  body,
})
export const latin = (type: string): Answer => ({ type, body: Buffer.from('"é"', 'latin1') })
export const utf8 = (type: string): Answer => ({ type, body: '"é"' })
export const marked: Answer = { body: '\ufeff{"id":1}' }
export const plain: Answer = { body: '{"id":1}' }
export const posted: Answer = { body: '{}', post: true }
export const oneLine = '<users><user><id>1</id><name></name></user></users>'
export const indented = `<?xml version="1.0"?>
<users>
  <user>
    <id>1</id>
    <name/>
  </user>
</users>
`
export const inOrder = '<user><id>1</id><name>a</name></user>'
export const turned = '<user><name>a</name><id>1</id></user>'
/** Names that are no numbers: those stay in their order. */
export const entries = '{"b":{"id":2},"a":{"id":1}}'
export const turnedEntries = '{"a":{"id":1},"b":{"id":2}}'
/** A letter as an escape of ASCII, and as it is. */
export const escapedLetter: Answer = { type: 'application/json; charset=utf-8', body: '"\\u00e9"' }
export const rawLetter: Answer = { type: 'application/json; charset=utf-8', body: '"é"' }
/** The same texts in other escapes. */
export const escaped = '{"name":"\\u00e9\\/"}'
export const unescaped = '{\n  "name": "é/"\n}'
