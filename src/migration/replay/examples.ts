// Complete responses to a few requests of each cause, from which choices of the dialect are found.

import type { OldServiceResponse } from '../../stores/old-service/call.ts'
import type { ProbeExample } from '../probe/causes.ts'
import { type ProgressFile, textOf } from '../progress-file.ts'
import { type CountedRequest, keyOf, type ReplayCause, type ResponsePair } from './results.ts'

/** Examples of a cause: its most frequent requests. */
const MAX_EXAMPLES = 3

/** Bytes of each of the two bodies. */
const MAX_BODY_BYTES = 64 * 1024

export function openExamples({ database }: ProgressFile) {
  database.exec(`
    CREATE TABLE IF NOT EXISTS examples (
      cause TEXT, query TEXT, hits INTEGER, old_status INTEGER, old_type TEXT, old_body BLOB,
      new_status INTEGER, new_type TEXT, new_body BLOB, PRIMARY KEY (cause, query)
    )`)
  const insert = database.prepare(`
    INSERT INTO examples SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${MAX_EXAMPLES} > (
      SELECT count(*) FROM examples WHERE cause = ?1 AND (hits > ?3 OR (hits = ?3 AND query < ?2))
    )`)
  const removeOthers = database.prepare(`
    DELETE FROM examples WHERE cause = ?1 AND query NOT IN (
      SELECT query FROM examples WHERE cause = ?1 ORDER BY hits DESC, query LIMIT ${MAX_EXAMPLES}
    )`)
  const select = database.prepare('SELECT * FROM examples WHERE cause = ? ORDER BY hits DESC, query')
  return {
    add(cause: ReplayCause, { query, hits }: CountedRequest, { old, fresh }: ResponsePair): void {
      if (Math.max(old.body.length, fresh.body.length) > MAX_BODY_BYTES) return
      const key = keyOf(cause)
      const { changes } = insert.run(key, query, hits, ...columnsOf(old), ...columnsOf(fresh))
      if (changes > 0) removeOthers.run(key)
    },
    of: (cause: ReplayCause): ProbeExample[] =>
      select.all(keyOf(cause)).map((row) => ({
        query: textOf(row.query) ?? '',
        old: responseFrom(row.old_status, row.old_type, row.old_body),
        gateway: responseFrom(row.new_status, row.new_type, row.new_body),
      })),
  }
}

const columnsOf = ({ status, headers, body }: OldServiceResponse) =>
  [status, headers['content-type'] ?? '', body] as const

function responseFrom(status: unknown, type: unknown, body: unknown): OldServiceResponse {
  return {
    status: Number(status),
    headers: { 'content-type': textOf(type) ?? '' },
    body: Buffer.from(body instanceof Uint8Array ? body : []),
  }
}
