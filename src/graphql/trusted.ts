// Trusted documents: a front end's build writes them into a manifest. They are checked before the first
// request, as documents of clients are at each request.

import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { ConfigError } from '../config/config.ts'
import type { Observe } from '../observe/events.ts'
import { messageOf, shorten, visible } from '../text.ts'
import type { ReadQuery } from './documents.ts'
import { readManifest, shownId } from './manifest.ts'

export interface TrustedDocuments {
  /** The document that has an id, or this SHA-256. @param id canonical */
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

const MAX_SHOWN_FAULTS = 10
const MAX_REASON_LENGTH = 300
/** Milliseconds for which documents are checked before requests are served. */
const SLICE_MS = 5

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

  async function reload(): Promise<void> {
    const documents = readOrExplain(path)
    const faults = await check(documents, texts, read)
    if (faults.length > 0) throw unusable(path, faults)
    texts = new Set(documents.values())
    // Clients may hash the text themselves, whatever ids the manifest has.
    const byHash = [...texts].map((text) => [hash('sha256', text, 'hex'), text] as const)
    byId = new Map([...byHash, ...documents])
    observe({ type: 'documents-read', path, count: documents.size })
  }

  await reload()
  return { find: (id) => byId.get(id), has: (text) => texts.has(text), reload }
}

function readOrExplain(path: string): ReadonlyMap<string, string> {
  try {
    return readManifest(path)
  } catch (error) {
    throw unusable(path, [messageOf(error)])
  }
}

/** Finds what is wrong with new documents, in slices between which requests are served. */
async function check(
  documents: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  read: ReadQuery,
): Promise<string[]> {
  const faults: string[] = []
  let started = performance.now()
  for (const [id, text] of documents) {
    if (known.has(text)) continue
    if (performance.now() - started > SLICE_MS) {
      await setImmediate()
      started = performance.now()
    }
    const [error] = read(text).errors
    if (error !== undefined)
      faults.push(`the document ${shownId(id)}: ${shorten(error.message, MAX_REASON_LENGTH)}`)
  }
  return faults
}

function unusable(path: string, faults: readonly string[]): ConfigError {
  const shown = faults.slice(0, MAX_SHOWN_FAULTS).map((fault) => `  ${path}: ${visible(fault)}`)
  const more = faults.length - shown.length
  const rest = more > 0 ? [`  … and ${more} more.`] : []
  return new ConfigError(['The manifest of GRAPHQL_DOCUMENTS cannot be used:', ...shown, ...rest])
}
