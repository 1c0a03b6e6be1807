// The manifest of trusted documents: a file that the build of a front end writes. Two formats are read, that
// of graphql-codegen's client preset, and that of Apollo's generate-persisted-query-manifest.

import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { shorten, visible } from '../../text.ts'
import { FileFault, type Member, type Placed, readPlacedJson } from './placed-json.ts'

/** A document of a manifest. */
export interface Listed {
  /** Canonical. */
  readonly id: string
  readonly text: string
  readonly line: number
}

/** To check so many takes some ten seconds: a million tokens. */
const MAX_MANIFEST_MIB = 4
const MAX_DOCUMENTS = 10_000
/** JSON values of a manifest: Apollo's has five for each document, and tools add some. */
const MAX_VALUES = 10 * MAX_DOCUMENTS
const MAX_ID_LENGTH = 200
const MAX_SHOWN_LENGTH = 80
const APOLLO_FORMAT = 'apollo-persisted-query-manifest'

const prefixedHash = /^sha256:[0-9a-f]{64}$/

/** An id as it is kept: the prefix that GraphQL over HTTP puts before a SHA-256 says nothing more. */
export function canonicalId(id: string): string {
  return prefixedHash.test(id) ? id.slice('sha256:'.length) : id
}

/** An id as a message shows it. */
export function shownId(id: string): string {
  return `"${shorten(visible(id), MAX_SHOWN_LENGTH)}"`
}

/**
 * Reads a manifest: in 4 MiB at most, up to 10,000 documents, each by its id.
 * @throws FileFault, or the system's error
 */
export function readManifest(path: string): readonly Listed[] {
  const byId = new Map<string, Listed>()
  for (const given of documentsOf(readPlacedJson(readText(path), MAX_VALUES))) {
    const document = check(given)
    const { id, text, line } = document
    const before = byId.get(id)
    // Two versions of a front end have documents in common; both are in the manifest while one replaces the other.
    if (before !== undefined && before.text !== text)
      throw new FileFault(line, `the id ${shownId(id)} has another document in line ${before.line}`)
    byId.set(id, before ?? document)
    if (byId.size > MAX_DOCUMENTS) throw new FileFault(line, `more than ${MAX_DOCUMENTS} documents`)
  }
  if (byId.size === 0) throw new FileFault(1, 'no documents')
  return [...byId.values()]
}

function readText(path: string): string {
  // A pipe would be waited for without end, and could not be read again.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new FileFault(1, 'not a regular file')
    if (found.size > MAX_MANIFEST_MIB * 2 ** 20) throw new FileFault(1, `more than ${MAX_MANIFEST_MIB} MiB`)
    return decode(readFileSync(file))
  } finally {
    closeSync(file)
  }
}

/** Without the byte order mark that some editors put in front. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FileFault(1, 'not UTF-8')
  }
}

function documentsOf(manifest: Placed): readonly Listed[] {
  if (manifest.kind !== 'object') throw new FileFault(manifest.line, 'expected an object')
  const { members } = manifest
  return members.some(({ name }) => name === 'format') ? operationsOf(manifest) : members.map(pairOf)
}

/** `{ "id": "document", … }`, as graphql-codegen writes it. */
function pairOf({ name, line, value }: Member): Listed {
  return { id: name, text: textOf(value, line, `the document ${shownId(name)}`), line }
}

/** `{ "format": …, "version": 1, "operations": [{ "id", "name", "type", "body" }, …] }`, as Apollo writes it. */
function operationsOf(manifest: ObjectValue): readonly Listed[] {
  const [format, version, operations] = ['format', 'version', 'operations'].map((name) =>
    only(manifest, name),
  )
  if (format?.kind !== 'string' || format.text !== APOLLO_FORMAT)
    throw new FileFault(format?.line ?? manifest.line, `the format is not "${APOLLO_FORMAT}"`)
  if (version?.kind !== 'word' || version.text !== '1')
    throw new FileFault(version?.line ?? manifest.line, 'the version is not 1')
  if (operations?.kind !== 'list')
    throw new FileFault(operations?.line ?? manifest.line, 'operations is no list')
  return operations.items.map((operation) => {
    const { line } = operation
    if (operation.kind !== 'object') throw new FileFault(line, 'an operation is no object')
    const id = textOf(only(operation, 'id'), line, 'the id of an operation')
    return { id, text: textOf(only(operation, 'body'), line, `the body of ${shownId(id)}`), line }
  })
}

type ObjectValue = Extract<Placed, { kind: 'object' }>

/** The member of this name; there may be one. */
function only({ members }: ObjectValue, name: string): Placed | undefined {
  const [first, second] = members.filter((member) => member.name === name)
  if (second !== undefined) throw new FileFault(second.line, `${name} is there twice`)
  return first?.value
}

function textOf(value: Placed | undefined, line: number, what: string): string {
  if (value?.kind !== 'string') throw new FileFault(value?.line ?? line, `${what} is not a string`)
  return value.text
}

function check({ id, text, line }: Listed): Listed {
  if (id === '' || id.length > MAX_ID_LENGTH)
    throw new FileFault(line, `the id ${shownId(id)} does not have 1 to ${MAX_ID_LENGTH} characters`)
  const canonical = canonicalId(id)
  // What has no prefix may be a hash of another kind, or of another form of the document.
  if (canonical !== id && hash('sha256', text, 'hex') !== canonical)
    throw new FileFault(line, `the id ${shownId(id)} is not the SHA-256 of its document`)
  return { id: canonical, text, line }
}
