// Values of the dialect that no table of choices has: they are read from a response of the old service.

import { LookupError } from '../../errors.ts'
import { RefusedRequest } from '../../legacy/errors.ts'
import type { LegacyRequest, RequestReader } from '../../legacy/request.ts'
import { decodeBody } from '../../legacy/text.ts'
import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import { type EntryMeaning, isFields } from '../compare/meaning.ts'
import { namesIn } from '../logs/legacy.ts'
import { type Alternative, isAllowed, namesOfFields } from './read-off.ts'
import { createRecorder, missingIn } from './recorder.ts'
import { foundIn, meaningOfResponse } from './responses.ts'
import type { ProbeRows } from './rows.ts'

/** Characters of a value: longer ones are pages. */
const MAX_LENGTH = 1_000

export function alternativesIn(
  query: string,
  old: OldServiceResponse,
  reader: RequestReader,
  rows: ProbeRows,
): Alternative[] {
  return [...inEntries(old), ...inRequest(query, old, reader, rows)].filter(
    (one) => JSON.stringify(one[1]).length <= MAX_LENGTH && isAllowed(one),
  )
}

/** Names of the service, of its fields and of the XML root, and the status of errors. */
function* inEntries(old: OldServiceResponse): Generator<Alternative> {
  const meaning = meaningOfResponse(old)
  if (meaning.kind === 'refusal') yield [['errors', 'status'], meaning.status]
  if (meaning.kind !== 'entries') return
  const { root, format } = meaning
  const service = /^(\w+)API$/.exec(root)?.[1]
  if (service !== undefined) yield [['serviceName'], service]
  else if (root !== '') yield [['xml', 'root'], root]
  const [entry = []] = foundIn(old).values()
  const { names, own } = namesOfFields(entry)
  if (own !== null) yield [['serviceName'], own]
  yield [['fields', names.includes('Id') ? 'users' : 'apps', format === 'XML' ? 'xml' : 'json'], names]
}

/** The chat method, and recorded responses: for an error, or if nothing or one value was not found. */
function* inRequest(
  query: string,
  old: OldServiceResponse,
  reader: RequestReader,
  rows: ProbeRows,
): Generator<Alternative> {
  const record = (value: string) => createRecorder(new Map([[query, old]]), rows, [])(query, value)
  const request = readOrRefusal(query, reader)
  if (request instanceof LookupError) {
    const { method } = namesIn(query)
    if (!/^(?:id|username)?$/i.test(method)) yield [['chatMethod'], method]
    if (request instanceof RefusedRequest)
      yield [['errors', 'replies', request.kind, reader.readRefused(query).format], record(request.value)]
    return
  }
  const { event, format, values } = request
  const [only = '', ...others] = values
  const found = foundIn(old)
  const meaning = meaningOfResponse(old)
  const entries = meaning.kind === 'entries' ? meaning.entries : new Map<string, EntryMeaning>()
  // More fields may be a row.
  for (const [name, entry] of entries)
    if (/^[\w-]+$/.test(name) && !found.has(name) && !(isFields(entry) && entry.length > 2)) {
      yield [['missing', event.subject, format], missingIn(decodeBody(old.body), format, name)]
      break
    }
  yield [['nothing', event.subject, format], record(others.length === 0 ? only : '')]
}

function readOrRefusal(query: string, { read }: RequestReader): LegacyRequest | LookupError {
  try {
    return read(query)
  } catch (error) {
    if (error instanceof LookupError) return error
    throw error
  }
}
