// The manifest of trusted documents: a file that the build of a front end writes. Two formats are read, that
// of graphql-codegen's client preset, and that of Apollo's generate-persisted-query-manifest.

import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isDeeper } from '../json-depth.ts'
import { shorten, visible } from '../text.ts'

/** To check so many takes some ten seconds: a million tokens. */
const MAX_MANIFEST_MIB = 4
const MAX_DOCUMENTS = 10_000
/** Levels of lists and objects: a manifest has three. */
const MAX_LEVELS = 10
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
 * Reads a manifest: in 4 MiB at most, up to 10,000 documents, each by its canonical id.
 * @throws Error that says what is wrong
 */
export function readManifest(path: string): ReadonlyMap<string, string> {
  const documents = new Map<string, string>()
  for (const { id, text } of documentsOf(parseJson(readText(path)))) {
    const canonical = checkId(id, text)
    // Two versions of a front end have documents in common. Both are in the manifest during a rollout.
    if ((documents.get(canonical) ?? text) !== text)
      throw new Error(`the id ${shownId(canonical)} has two documents`)
    documents.set(canonical, text)
  }
  if (documents.size === 0) throw new Error('no documents')
  if (documents.size > MAX_DOCUMENTS) throw new Error(`more than ${MAX_DOCUMENTS} documents`)
  return documents
}

function readText(path: string): string {
  // Without O_NONBLOCK, opening a pipe would wait without end.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new Error('not a regular file')
    if (found.size > MAX_MANIFEST_MIB * 2 ** 20) throw new Error(`more than ${MAX_MANIFEST_MIB} MiB`)
    // A decoder skips the byte order mark that some editors write.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } finally {
    closeSync(file)
  }
}

function parseJson(text: string): unknown {
  if (isDeeper(text, MAX_LEVELS)) throw new Error(`nested more than ${MAX_LEVELS} levels deep`)
  return JSON.parse(text)
}

interface Listed {
  readonly id: string
  readonly text: string
}

/**
 * `{ "id": "document", … }`, as graphql-codegen writes it, or as Apollo does:
 * `{ "format": …, "version": 1, "operations": [{ "id", "name", "type", "body" }, …] }`.
 */
function documentsOf(manifest: unknown): readonly Listed[] {
  if (!isObject(manifest)) throw new Error('expected an object')
  if (!Object.hasOwn(manifest, 'format'))
    return Object.entries(manifest).map(([id, text]) => listed(id, text))
  const { format, version, operations } = manifest
  if (format !== APOLLO_FORMAT) throw new Error(`the format is not "${APOLLO_FORMAT}"`)
  if (version !== 1) throw new Error('the version is not 1')
  if (!Array.isArray(operations)) throw new Error('operations is not a list')
  return operations.map((operation: unknown, index) => {
    if (!isObject(operation) || typeof operation.id !== 'string')
      throw new Error(`operation ${index + 1} has no id that is a string`)
    return listed(operation.id, operation.body)
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listed(id: string, text: unknown): Listed {
  if (typeof text !== 'string') throw new Error(`the document ${shownId(id)} is not a string`)
  return { id, text }
}

/** @returns the canonical id */
function checkId(id: string, text: string): string {
  if (id === '' || id.length > MAX_ID_LENGTH)
    throw new Error(`the id ${shownId(id)} does not have 1 to ${MAX_ID_LENGTH} characters`)
  const canonical = canonicalId(id)
  // An id without the prefix may be a hash of another kind, or of another form of the document.
  if (canonical !== id && hash('sha256', text, 'hex') !== canonical)
    throw new Error(`the id ${shownId(id)} is not the SHA-256 of its document`)
  return canonical
}
