// What has become of the lines of logs: how many were not counted and why, with an example of each, and what
// is to be said of each file.

import { isIP } from 'node:net'
import { copyOf, shorten, visible } from '../../text.ts'
import type { Compression } from './compression.ts'
import type { Skipped } from './legacy.ts'

interface LogFile {
  readonly file: string
  /** As it was read; `null` where nothing of it was. */
  readonly format: string | null
  readonly compression: Compression | null
  readonly lines: number
  /** Why nothing, or not all, of it was read; `null` where all of it was. */
  readonly problem: string | null
  /** Whether something of it was read, or there was nothing to be read. */
  readonly isRead: boolean
}

/** Lines that were not counted for one reason. */
export interface NotCounted {
  readonly reason: Skipped
  readonly lines: number
  /** The first of them: addresses are taken out. */
  readonly example: string
}

export interface LogSummary {
  readonly lines: number
  readonly files: readonly LogFile[]
  /** The most frequent reasons first. */
  readonly notCounted: readonly NotCounted[]
  /** Lookups by POST; they are not among those that were not counted. */
  readonly posted: number
  /** Where else there are lookups, the most frequent paths first. */
  readonly otherPaths: readonly { readonly path: string; readonly requests: number }[]
}

/** Paths that are told apart: a client that makes up paths must not fill the memory. */
const MAX_PATHS = 1_000
/** Paths that are named. */
const MAX_NAMED_PATHS = 10
/** Characters of an example. */
const MAX_EXAMPLE_LENGTH = 160

export interface Tally {
  readonly countLine: () => void
  readonly countPosted: () => void
  readonly countOtherPath: (path: string) => void
  /** What it was is shown by its text, and by the method where it is a request. */
  readonly skip: (reason: Skipped, text: string, method?: string) => void
  readonly addFile: (file: LogFile) => void
  readonly lines: () => number
  readonly summary: () => LogSummary
}

export function createTally(): Tally {
  const reasons = new Map<Skipped, { lines: number; readonly example: string }>()
  const paths = new Map<string, number>()
  const files: LogFile[] = []
  let lines = 0
  let posted = 0
  return {
    countLine: () => {
      lines++
    },
    countPosted: () => {
      posted++
    },
    countOtherPath: (path) => {
      const known = paths.get(path)
      if (known !== undefined || paths.size < MAX_PATHS) paths.set(copyOf(path), (known ?? 0) + 1)
    },
    skip: (reason, text, method = '') => {
      const known = reasons.get(reason)
      if (known === undefined) reasons.set(reason, { lines: 1, example: exampleOf(`${method} ${text}`) })
      else known.lines++
    },
    addFile: (file) => void files.push(file),
    lines: () => lines,
    summary: () => ({
      lines,
      files,
      notCounted: [...reasons]
        .map(([reason, skipped]) => ({ reason, ...skipped }))
        .toSorted((a, b) => b.lines - a.lines),
      posted,
      otherPaths: [...paths]
        .map(([path, requests]) => ({ path: visible(path), requests }))
        .toSorted((a, b) => b.requests - a.requests)
        .slice(0, MAX_NAMED_PATHS),
    }),
  }
}

/** A short text that can be printed, and that names no client by its address. */
function exampleOf(text: string): string {
  const bytes = Buffer.from(text.slice(0, 4 * MAX_EXAMPLE_LENGTH), 'latin1')
  // A version of four numbers is taken for an address, too.
  const words = bytes.toString('utf8').replace(/\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?/g, HIDDEN)
  const shown = words.replace(/[\da-f:]{2,45}(?:%\w{1,15})?/gi, (word) => (isAddress(word) ? HIDDEN : word))
  return shorten(visible(shown.trim()), MAX_EXAMPLE_LENGTH)
}

const HIDDEN = '(address)'

/** Of IPv6; a colon may follow it. */
function isAddress(word: string): boolean {
  return word.includes(':') && (isIP(word) !== 0 || isIP(word.replace(/:$/, '')) !== 0)
}
