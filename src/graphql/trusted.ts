// Trusted documents: a front end's build writes them into a manifest, the file of GRAPHQL_DOCUMENTS. The
// gateway checks the documents before the first request, by the same rules as documents of clients.

import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { ConfigError } from '../config/config.ts'
import { isDeeper, isObject } from '../json.ts'
import type { Observe } from '../observe/events.ts'
import { messageOf, shorten, visible } from '../text.ts'
import type { ReadQuery } from './documents.ts'

export interface TrustedDocuments {
  /** Finds a document by its id or its SHA-256. @param id canonical */
  readonly find: (id: string) => string | undefined
  readonly has: (text: string) => boolean
  /** Reads the manifest again. @throws ConfigError, and changes nothing */
  readonly reload: () => Promise<void>
}

/** For a gateway without a manifest. */
export const noTrustedDocuments: TrustedDocuments = {
  find: () => undefined,
  has: () => false,
  reload: async () => {},
}

/** Checking a manifest of this size takes some ten seconds: it has a million tokens. */
const MAX_MANIFEST_MIB = 4
const MAX_DOCUMENTS = 10_000
/** A manifest has three levels of lists and objects. */
const MAX_LEVELS = 10
const MAX_ID_LENGTH = 200
/** Characters of an id in a message. The whole message has twice as many. */
const MAX_SHOWN_LENGTH = 300
/** Milliseconds of checking after which waiting requests are served: a reload checks while requests come. */
const SLICE_MS = 5

const prefixedHash = /^sha256:[0-9a-f]{64}$/

/** GraphQL over HTTP puts a prefix before a SHA-256. Documents are found with and without the prefix. */
export function canonicalId(id: string): string {
  return prefixedHash.test(id) ? id.slice('sha256:'.length) : id
}

/**
 * @param read reads a document as those of clients are read, within the limits
 * @throws ConfigError
 */
export async function openTrustedDocuments(
  path: string,
  read: ReadQuery,
  observe: Observe,
): Promise<TrustedDocuments> {
  let byId: ReadonlyMap<string, string> = new Map()
  let texts: ReadonlySet<string> = new Set()

  /** Checks new documents, in slices between which requests are served. @throws Error */
  async function check(documents: ReadonlyMap<string, string>): Promise<void> {
    let started = performance.now()
    for (const [id, text] of documents) {
      if (texts.has(text)) continue
      if (performance.now() - started > SLICE_MS) {
        await setImmediate()
        started = performance.now()
      }
      const [error] = read(text).errors
      if (error !== undefined) throw new Error(`the document ${shown(id)}: ${error.message}`)
    }
  }

  async function reload(): Promise<void> {
    try {
      const documents = documentsOf(readText(path))
      await check(documents)
      texts = new Set(documents.values())
      // Clients may hash the text themselves, whatever ids the manifest has.
      const byHash = [...texts].map((text) => [hash('sha256', text, 'hex'), text] as const)
      byId = new Map([...byHash, ...documents])
      observe({ type: 'documents-read', path, count: documents.size })
    } catch (error) {
      const reason = visible(shorten(messageOf(error), 2 * MAX_SHOWN_LENGTH))
      throw new ConfigError(['The manifest of GRAPHQL_DOCUMENTS cannot be used:', `  ${path}: ${reason}`])
    }
  }

  await reload()
  return { find: (id) => byId.get(id), has: (text) => texts.has(text), reload }
}

const shown = (id: string) => `"${shorten(id, MAX_SHOWN_LENGTH)}"`

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

/** Reads the documents of a manifest by their canonical ids. @throws Error */
function documentsOf(manifest: string): ReadonlyMap<string, string> {
  if (isDeeper(manifest, MAX_LEVELS)) throw new Error(`nested more than ${MAX_LEVELS} levels deep`)
  const documents = new Map<string, string>()
  for (const [id, document] of entriesOf(JSON.parse(manifest))) {
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH)
      throw new Error(`the id ${shown(String(id))} is not a string of 1 to ${MAX_ID_LENGTH} characters`)
    if (typeof document !== 'string') throw new Error(`the document ${shown(id)} is not a string`)
    const canonical = canonicalId(id)
    // An id without the prefix may be another kind of hash.
    if (canonical !== id && hash('sha256', document, 'hex') !== canonical)
      throw new Error(`the id ${shown(id)} is not the SHA-256 of its document`)
    // During a rollout, the manifest has two versions of a front end, with documents in common.
    if ((documents.get(canonical) ?? document) !== document)
      throw new Error(`the id ${shown(canonical)} has two documents`)
    documents.set(canonical, document)
  }
  if (documents.size === 0) throw new Error('no documents')
  if (documents.size > MAX_DOCUMENTS) throw new Error(`more than ${MAX_DOCUMENTS} documents`)
  return documents
}

/**
 * Reads both formats: `{ "id": "document", … }` of graphql-codegen's client preset, and Apollo's
 * `{ "format": …, "version": 1, "operations": [{ "id", "name", "type", "body" }, …] }`.
 */
function entriesOf(manifest: unknown): readonly (readonly [id: unknown, document: unknown])[] {
  if (!isObject(manifest)) throw new Error('expected an object')
  if (!Object.hasOwn(manifest, 'format')) return Object.entries(manifest)
  const { format, version, operations } = manifest
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations))
    throw new Error(
      'expected the format apollo-persisted-query-manifest, version 1, and a list of operations',
    )
  return operations.map((operation: unknown) =>
    isObject(operation) ? [operation.id, operation.body] : [undefined, undefined],
  )
}
