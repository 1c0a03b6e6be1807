// The manifest of trusted documents: a file that the build of a front end writes.

import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { isDeeper, isObject } from '../json.ts'
import { shorten, visible } from '../text.ts'

/** Checking a manifest of this size takes some ten seconds: it has a million tokens. */
const MAX_MANIFEST_MIB = 4
const MAX_DOCUMENTS = 10_000
/** A manifest has three levels of lists and objects. */
const MAX_LEVELS = 10
const MAX_ID_LENGTH = 200
const MAX_SHOWN_LENGTH = 80

const prefixedHash = /^sha256:[0-9a-f]{64}$/

/** GraphQL over HTTP puts a prefix before a SHA-256. Documents are found with and without the prefix. */
export function canonicalId(id: string): string {
  return prefixedHash.test(id) ? id.slice('sha256:'.length) : id
}

/** Reads the documents of a manifest by their canonical ids. @throws Error */
export function readManifest(path: string): ReadonlyMap<string, string> {
  const text = readText(path)
  if (isDeeper(text, MAX_LEVELS)) throw new Error(`nested more than ${MAX_LEVELS} levels deep`)
  const documents = new Map<string, string>()
  for (const [id, document] of documentsOf(JSON.parse(text))) {
    if (typeof document !== 'string') throw new Error(`the document ${shownId(id)} is not a string`)
    if (id === '' || id.length > MAX_ID_LENGTH)
      throw new Error(`the id ${shownId(id)} does not have 1 to ${MAX_ID_LENGTH} characters`)
    const canonical = canonicalId(id)
    // An id without the prefix may be another kind of hash.
    if (canonical !== id && hash('sha256', document, 'hex') !== canonical)
      throw new Error(`the id ${shownId(id)} is not the SHA-256 of its document`)
    // During a rollout, the manifest has two versions of a front end, with documents in common.
    if ((documents.get(canonical) ?? document) !== document)
      throw new Error(`the id ${shownId(canonical)} has two documents`)
    documents.set(canonical, document)
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
    // TextDecoder skips the byte order mark that some editors write.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } finally {
    closeSync(file)
  }
}

/**
 * Reads both formats: `{ "id": "document", … }` of graphql-codegen's client preset, and Apollo's
 * `{ "format": …, "version": 1, "operations": [{ "id", "name", "type", "body" }, …] }`.
 */
function documentsOf(manifest: unknown): readonly (readonly [id: string, document: unknown])[] {
  if (!isObject(manifest)) throw new Error('expected an object')
  if (!Object.hasOwn(manifest, 'format')) return Object.entries(manifest)
  const { format, version, operations } = manifest
  if (format !== 'apollo-persisted-query-manifest')
    throw new Error('the format is not "apollo-persisted-query-manifest"')
  if (version !== 1) throw new Error('the version is not 1')
  if (!Array.isArray(operations)) throw new Error('operations is not a list')
  return operations.map((operation: unknown, index) => {
    if (!isObject(operation) || typeof operation.id !== 'string')
      throw new Error(`operation ${index + 1} has no id that is a string`)
    return [operation.id, operation.body]
  })
}

/** An id for a message. */
export const shownId = (id: string) => `"${shorten(visible(id), MAX_SHOWN_LENGTH)}"`
