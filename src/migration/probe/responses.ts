// Reads responses of an old service as their clients do.

import type { LegacyResponse } from '../../legacy/errors.ts'
import { NoResponse, type OldServiceResponse } from '../../stores/old-service/call.ts'
import { ownFields } from '../../stores/old-service/entries.ts'
import { type FieldMeaning, isFields, type Meaning } from '../compare/meaning.ts'
import { meaningOf } from '../compare/read.ts'
import type { ProbeOutcome } from './client.ts'

/** The response to a query string; null if it was not sent, or has none. */
export function responseTo(
  outcomes: ReadonlyMap<string, ProbeOutcome>,
  query: string,
): OldServiceResponse | null {
  const outcome = outcomes.get(query)
  return outcome === undefined || outcome instanceof NoResponse ? null : outcome
}

/** A response as the gateway's writers make it: one character for each byte. */
export function legacyResponseOf({ status, headers, body }: OldServiceResponse): LegacyResponse {
  return { status, type: headers['content-type'] ?? '', body: body.toString('latin1') }
}

/** The reverse of `legacyResponseOf`. */
export function responseOf({ status, type, body }: LegacyResponse): OldServiceResponse {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body, 'latin1') }
}

/** A text that is equal for equal responses. */
export const keyOf = ({ status, type, body }: LegacyResponse) => `${status} ${type} ${body}`

/** Most responses are read several times. */
const meanings = new WeakMap<OldServiceResponse, Meaning>()

export function meaningOfResponse(response: ProbeOutcome): Meaning {
  if (response instanceof NoResponse) return { kind: 'unreadable', reason: response.message }
  const meaning = meanings.get(response) ?? meaningOf(withoutWrapping(response))
  meanings.set(response, meaning)
  return meaning
}

/** Some services send a text such as `)]}',` before the JSON. */
function withoutWrapping(response: OldServiceResponse): OldServiceResponse {
  const start = response.body.toString('latin1', 0, 100)
  const at = start.search(/[[{]/)
  const isWrapped = at > 0 && response.status === 200 && /^[)\]}',;/* \r\n]+$/.test(start.slice(0, at))
  return isWrapped ? { ...response, body: response.body.subarray(at) } : response
}

const own: ReadonlySet<string> = new Set(Object.values(ownFields).flat())

/** The found entries of a response, by name. An entry that has only empty fields is not found. */
export function foundIn(outcome: ProbeOutcome): ReadonlyMap<string, readonly FieldMeaning[]> {
  const found = new Map<string, readonly FieldMeaning[]>()
  const meaning = meaningOfResponse(outcome)
  if (meaning.kind !== 'entries') return found
  for (const [name, entry] of meaning.entries)
    if (
      isFields(entry) &&
      entry.some(([field]) => own.has(field)) &&
      entry.some(([, { type, text }]) => type !== 'null' && text !== '')
    )
      found.set(name, entry)
  return found
}

/** The fields of the entry of a user; null if there is none. Its name is the id, or any other text. */
export function fieldsOf(outcome: ProbeOutcome, id: string): readonly FieldMeaning[] | null {
  const found = foundIn(outcome)
  const isOfUser = (fields: readonly FieldMeaning[]) =>
    fields.some(([name, { text }]) => name === 'Id' && text === id)
  return found.get(id) ?? [...found.values()].find(isOfUser) ?? null
}

/** The fields of the only entry, whatever its name is: the request had one value. Null if there is none. */
export function onlyFieldsOf(outcome: ProbeOutcome, value: string): readonly FieldMeaning[] | null {
  const found = foundIn(outcome)
  const [only = null] = found.size === 1 ? found.values() : []
  return found.get(value) ?? only
}
