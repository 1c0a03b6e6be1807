// Complete responses to a few requests of each cause, from which a choice of the dialect can be found.

import type { Reply } from '../../stores/old-service/call.ts'
import type { Example } from '../probe/causes.ts'
import { type ProgressFile, textOf } from '../progress-file.ts'
import type { CountedRequest, Group, ResponsePair } from './settled.ts'

/** Examples of a cause: those of the most frequent requests. */
const MAX_EXAMPLES = 3

/** Bytes of each of the two bodies. */
const MAX_BODY_BYTES = 64 * 1024

const ofCause = 'event = ?1 AND method = ?2 AND format = ?3 AND field = ?4 AND kind = ?5'

type CauseKey = Pick<Group, 'event' | 'method' | 'format' | 'field' | 'kind'>

const keyOf = ({ event, method, format, field, kind }: CauseKey) => [event, method, format, field, kind]

export function openExamples({ database }: ProgressFile) {
  database.exec(`
    CREATE TABLE IF NOT EXISTS examples (
      event TEXT, method TEXT, format TEXT, field TEXT, kind TEXT, query TEXT, hits INTEGER,
      old_status INTEGER, old_type TEXT, old_body BLOB, new_status INTEGER, new_type TEXT, new_body BLOB,
      PRIMARY KEY (event, method, format, field, kind, query)
    )`)
  const insert = database.prepare(`
    INSERT INTO examples SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 WHERE ${MAX_EXAMPLES} > (
      SELECT count(*) FROM examples WHERE ${ofCause} AND (hits > ?7 OR (hits = ?7 AND query < ?6))
    )`)
  const removeOthers = database.prepare(`
    DELETE FROM examples WHERE ${ofCause} AND query NOT IN (
      SELECT query FROM examples WHERE ${ofCause} ORDER BY hits DESC, query LIMIT ${MAX_EXAMPLES}
    )`)
  const select = database.prepare(`SELECT * FROM examples WHERE ${ofCause} ORDER BY hits DESC, query`)
  return {
    add(
      cause: CauseKey,
      { query, hits }: CountedRequest,
      { old, fresh }: Omit<ResponsePair, 'comparison'>,
    ): void {
      if (Math.max(old.body.length, fresh.body.length) > MAX_BODY_BYTES) return
      const { changes } = insert.run(...keyOf(cause), query, hits, ...columnsOf(old), ...columnsOf(fresh))
      if (changes > 0) removeOthers.run(...keyOf(cause))
    },
    of: (cause: CauseKey): Example[] =>
      select.all(...keyOf(cause)).map((row) => ({
        query: textOf(row.query) ?? '',
        old: responseFrom(row.old_status, row.old_type, row.old_body),
        gateway: responseFrom(row.new_status, row.new_type, row.new_body),
      })),
  }
}

const columnsOf = ({ status, headers, body }: Reply) => [status, headers['content-type'] ?? '', body] as const

function responseFrom(status: unknown, type: unknown, body: unknown): Reply {
  return {
    status: Number(status),
    headers: { 'content-type': textOf(type) ?? '' },
    body: Buffer.from(body instanceof Uint8Array ? body : []),
  }
}
