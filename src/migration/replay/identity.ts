import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import type { NamedField, Noise } from '../../config/noise.ts'
import type { Service } from '../../config/old-service.ts'

/** Bytes at the beginning of a log that identify the log. */
const HEAD_BYTES = 1024

/**
 * Identifies a replay, so that a run that was interrupted can continue. The identity stays the same if a
 * log grows, or if logins and headers change. It differs if a log was rotated, or if an address differs.
 */
export function identityOf(replay: {
  readonly logs: readonly string[]
  readonly old: Service
  readonly new: Service
  readonly path: string
  readonly format?: string
}): string {
  const logs = replay.logs.map((file) => (file === '-' ? [file] : [resolve(file), headOf(file)]))
  return JSON.stringify({
    logs,
    old: replay.old.url,
    new: replay.new.url,
    path: replay.path,
    format: replay.format,
  })
}

/** A hash of the first line, which stays the same when the log grows. */
function headOf(file: string): string {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(file, 'r')
  const size = readSync(descriptor, head, 0, HEAD_BYTES, 0)
  closeSync(descriptor)
  const newline = head.indexOf(0x0a)
  const end = newline === -1 ? size : newline
  return createHash('sha256').update(head.subarray(0, end)).digest('base64url')
}

/** The options for differences to ignore, in one spelling; empty if there are none. */
export function describeNoise({ ignore, tolerate, learn }: Noise): string {
  const nameOf = ({ event, field }: NamedField) => (event === null ? field : `${event}.${field}`)
  const inOrder = (names: readonly string[]) => [...new Set(names)].toSorted().join()
  const ignored = inOrder(ignore.map(nameOf))
  const tolerated = inOrder(tolerate.map((rule) => `${nameOf(rule)}=${rule.by}`))
  return [
    ...(ignored === '' ? [] : [`--ignore ${ignored}`]),
    ...(tolerated === '' ? [] : [`--tolerate ${tolerated}`]),
    ...(learn ? ['--learn'] : []),
  ].join(' ')
}
