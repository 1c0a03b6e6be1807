import { expect } from 'vitest'
import type { Dialect } from '../../src/settings.ts'
import { ask, type FormatName } from '../gateway/legacy/support/ask.ts'
import type { Kind, Question } from './model.ts'

const everyByte = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
const encoders: readonly ((text: string) => string)[] = [
  encodeURIComponent,
  (text) => encodeURIComponent(text).replaceAll('%20', '+').replaceAll('%3A', ':'),
  everyByte,
]

/** The request target of a legacy lookup, encoded in one of the ways there are. */
export function legacyTarget(
  { kind, values }: Question,
  format: FormatName,
  { chatMethod }: Dialect,
): string {
  const list = values.join(':')
  const encode = encoders[list.length % encoders.length] ?? encodeURIComponent
  const methods: Record<Kind, string> = { ID: 'id', USERNAME: 'username', CHAT: chatMethod, APP: '' }
  const query =
    kind === 'APP'
      ? `Event=AppLookup&Apps=${encode(list)}`
      : `Event=ProfileLookup&MethodOfAccessingUserInformation=${methods[kind]}&Users=${encode(list)}`
  return `/?${query}&Format=${format}`
}

const USER = 'id username displayName rank joinDate isConfirmed banned'
const APP = 'id title version category changelogLink downloadLink'

/** Asks for all there is to know. @returns the items, one for each value */
export async function askGraphql(url: string, { kind, values }: Question): Promise<unknown> {
  const query =
    kind === 'APP'
      ? `query ($values: [ID!]!) { found: apps(ids: $values) { ${APP} } }`
      : `query ($values: [String!]!) { found: users(by: ${kind}, values: $values) { ${USER} } }`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query, variables: { values } })
  const reply = await ask(url, '/graphql', { method: 'POST', headers, body })
  expect(reply).toMatchObject({ status: 200 })
  const { data, errors } = JSON.parse(Buffer.from(reply.body, 'latin1').toString())
  expect(errors).toBeUndefined()
  return data.found
}
