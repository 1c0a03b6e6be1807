// Trusted documents: those of a manifest, checked before the first request as a client's are at each.

import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { ConfigError } from '../config/config.ts'
import type { Observe } from '../observe/events.ts'
import { messageOf, shorten, visible } from '../text.ts'
import type { ReadDocument, ReadQuery } from './documents.ts'
import { readManifest, shownId } from './manifest.ts'

export interface TrustedDocuments {
  /** The document that has an id, or this SHA-256. @param id canonical */
  readonly find: (id: string) => string | undefined
  readonly has: (text: string) => boolean
  /** Reads the manifest again. @throws ConfigError: then the documents are those of before */
  readonly reload: () => Promise<void>
}

/** Faults of a manifest that are reported. */
const MAX_FAULTS = 10
const MAX_REASON_LENGTH = 300
/** Milliseconds that documents are checked before requests have their turn. */
const TURN_MS = 5

/**
 * @param read reads a document as those of clients are, within the limits
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
    // Clients may hash by themselves, whatever the tool that wrote the manifest makes its ids of.
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

/** Finds what is wrong with documents. Requests that come meanwhile do not wait for all of it. */
async function check(
  documents: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  read: ReadQuery,
): Promise<string[]> {
  const faults: string[] = []
  let started = performance.now()
  for (const [id, text] of documents) {
    if (known.has(text)) continue
    if (performance.now() - started > TURN_MS) {
      await turn()
      started = performance.now()
    }
    const fault = faultOf(read(text))
    if (fault !== null) faults.push(`the document ${shownId(id)}: ${fault}`)
  }
  return faults
}

function faultOf({ errors }: ReadDocument): string | null {
  const [first] = errors ?? []
  if (first === undefined) return null
  const [place] = first.locations ?? []
  const where = place === undefined ? '' : ` (line ${place.line}, column ${place.column} of the document)`
  return shorten(first.message, MAX_REASON_LENGTH) + where
}

function unusable(path: string, faults: readonly string[]): ConfigError {
  const shown = faults.slice(0, MAX_FAULTS).map((fault) => `  ${path}: ${visible(fault)}`)
  const more = faults.length - shown.length
  return new ConfigError([
    'The manifest of GRAPHQL_DOCUMENTS cannot be used:',
    ...shown,
    ...(more > 0 ? [`  … and ${more} more.`] : []),
  ])
}
