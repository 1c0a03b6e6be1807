// The state file of `lookup replay`: the distinct requests of the log with their numbers (hits), the verdict
// on each, and the causes of differences. An SQLite file holds exact counts of any log in little memory, and
// survives Ctrl+C. Three phases use it, in this order:
//
// 1. read the log: `startReading`, `count`, `finishReading`
// 2. compare: `take`, then `record` or `fail`, until no request is left
// 3. report: all other methods
//
// No client depends on this file, but an operator decides by its counts. If you change the tables, raise
// `version` in `identityOf` (command.ts): a replay in progress then has to start again.

import { stringOf } from '../../text.ts'
import { type Comparison, type DifferenceRule, rules } from '../compare/difference.ts'
import { provesInterface } from '../compare/meaning.ts'
import { meaningOf } from '../compare/read.ts'
import type { LogSummary } from '../logs/account.ts'
import { namesIn } from '../logs/legacy.ts'
import type { LogHead } from '../logs/lines.ts'
import type { ProbeExample } from '../probe/causes.ts'
import { openProgressFile } from '../progress-file.ts'
import {
  type CountedRequest,
  keyOf,
  type Latency,
  type ReplayCause,
  type ReplayCount,
  type ReplayGroup,
  type ReplayVerdict,
  type ResponsePair,
} from './results.ts'

/**
 * `verdict`: null (not sent yet), `sent` (in flight), `failed`, or the verdict of the comparison.
 * `rule`: why a difference does not count; empty if it counts. `query`, `old` and `new` are the example of a
 * cause: the first request that had it, since the most frequent requests are sent first. `examples` has
 * complete responses, from which choices of the dialect are found.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS requests (
    query TEXT PRIMARY KEY, hits INTEGER NOT NULL, verdict TEXT, reason TEXT, old_ms INTEGER, new_ms INTEGER
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS causes (
    event TEXT, method TEXT, format TEXT, scope TEXT, field TEXT, kind TEXT, rule TEXT,
    requests INTEGER, hits INTEGER, query TEXT, old TEXT, new TEXT,
    PRIMARY KEY (event, method, format, scope, field, kind, rule)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS examples (
    cause TEXT, query TEXT, old_status INTEGER, old_type TEXT, old_body BLOB,
    new_status INTEGER, new_type TEXT, new_body BLOB
  );
  CREATE INDEX IF NOT EXISTS examples_of ON examples (cause);
  UPDATE requests SET verdict = NULL WHERE verdict IN ('sent', 'failed')`

/**
 * Causes that count, and as many that do not. Further causes are stored as one cause, `others`: clients that
 * invent names of events or fields must not fill the disk, or the report.
 */
const MAX_CAUSES = 500
/** Characters of the request of a cause. */
const MAX_STORED_LENGTH = 1_000
/** Complete examples of a cause, and bytes of each of the two bodies. */
const MAX_EXAMPLES = 3
const MAX_BODY_BYTES = 64 * 1024

/** Describes a state file that is not of this replay. */
export const anotherReplay =
  'another replay (other logs, addresses, options or causes to accept), or the log has been replaced'

export type Ledger = ReturnType<typeof openLedger>

/**
 * @param identity of the replay: its logs, the two services, and the rules of comparison
 * @throws ProgressFileError
 */
export function openLedger(path: string, identity: string) {
  const { database, together, read, write } = openProgressFile(path, identity, anotherReplay)
  database.exec(schema)
  const rowsOf = (sql: string, ...values: string[]) => database.prepare(sql).all(...values)
  const addHits = database.prepare(
    'INSERT INTO requests (query, hits) VALUES (?, ?) ON CONFLICT DO UPDATE SET hits = hits + excluded.hits',
  )
  const mark = database.prepare(
    'UPDATE requests SET verdict = ?, reason = ?, old_ms = ?, new_ms = ? WHERE query = ?',
  )
  const isKnown = database.prepare(`
    SELECT 1 FROM causes WHERE event = ? AND method = ? AND format = ? AND scope = ? AND field = ? AND kind = ?
      AND rule = ?`)
  const countCauses = database.prepare(`SELECT count(*) AS count FROM causes WHERE (rule = '') = (? = '')`)
  const addCause = database.prepare(`
    INSERT INTO causes VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET requests = requests + 1, hits = hits + excluded.hits`)
  const addExample = database.prepare(`
    INSERT INTO examples SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
      WHERE ${MAX_EXAMPLES} > (SELECT count(*) FROM examples WHERE cause = ?1)`)
  let isProven = read('proof') !== undefined

  function addDifferences(request: CountedRequest, comparison: Comparison, responses: ResponsePair): void {
    const query = request.query.slice(0, MAX_STORED_LENGTH)
    const names = namesIn(request.query)
    const { old: oldResponse, fresh: newResponse } = responses
    const isSmall = [oldResponse, newResponse].every(({ body }) => body.length <= MAX_BODY_BYTES)
    for (const { scope, field, kind, old, new: fresh, excusedBy = '' } of comparison.differences) {
      const cause = { ...names, scope, field, kind }
      const key = [cause.event, cause.method, cause.format, scope, field, kind, excusedBy]
      const isCounted =
        isKnown.get(...key) !== undefined || Number(countCauses.get(excusedBy)?.count) < MAX_CAUSES
      const shown = isCounted ? key : ['others', '', '', '', '', kind, excusedBy]
      addCause.run(...shown, request.hits, query, old, fresh)
      if (isCounted && excusedBy === '' && isSmall)
        addExample.run(keyOf(cause), request.query, ...columnsOf(oldResponse), ...columnsOf(newResponse))
    }
  }

  return {
    /** Hits are counted again in each run: the log may have grown. Verdicts stay. */
    startReading: () => database.exec('DROP INDEX IF EXISTS pending; UPDATE requests SET hits = 0'),
    count(counts: ReadonlyMap<string, number>): void {
      // Neighbours are on one page of the file: in their order, each page is written once.
      const queries = [...counts.keys()].sort()
      together(() => {
        for (const query of queries) addHits.run(query, counts.get(query) ?? 0)
      })
    },
    finishReading(log: LogSummary, heads: readonly LogHead[]): void {
      together(() => {
        database.exec(`
          DELETE FROM requests WHERE hits = 0;
          CREATE INDEX pending ON requests (hits DESC) WHERE verdict IS NULL`)
        if (read('started') === undefined) write('started', new Date().toISOString())
        if (read('heads') === undefined) write('heads', JSON.stringify(heads))
        write('log', JSON.stringify(log))
      })
    },
    log: (): LogSummary => JSON.parse(read('log') ?? '{}'),
    /** The beginning of each log when it was read first. */
    heads: (): readonly LogHead[] => JSON.parse(read('heads') ?? '[]'),
    started: () => read('started') ?? '',
    /** Requests to send, the most frequent first; each is returned once. */
    take(most: number): CountedRequest[] {
      const taken = database
        .prepare('SELECT query, hits FROM requests WHERE verdict IS NULL ORDER BY hits DESC LIMIT ?')
        .all(most)
        .map(({ query, hits }) => ({ query: stringOf(query), hits: Number(hits) }))
      together(() => {
        for (const { query } of taken) mark.run('sent', null, null, null, query)
      })
      return taken
    },
    record(request: CountedRequest, comparison: Comparison, responses: ResponsePair): void {
      const { old, fresh, latency } = responses
      together(() => {
        mark.run(comparison.verdict, null, Math.ceil(latency.old), Math.ceil(latency.new), request.query)
        if (!isProven) {
          isProven = [old, fresh].every((one) => provesInterface(meaningOf(one)))
          if (isProven) write('proof', request.query)
        }
        addDifferences(request, comparison, responses)
      })
    },
    fail: (request: CountedRequest, reason: string) =>
      void mark.run('failed', reason, null, null, request.query),
    /** Requests and hits by verdict; `left` have not been compared. */
    counts(): Readonly<Record<ReplayVerdict, ReplayCount>> {
      const rows = rowsOf(`
        SELECT CASE WHEN verdict IS NULL OR verdict = 'sent' THEN 'left' ELSE verdict END AS name,
          count(*) AS requests, sum(hits) AS hits FROM requests GROUP BY name`)
      const of = (verdict: ReplayVerdict): ReplayCount => {
        const row = rows.find(({ name }) => name === verdict)
        return { requests: Number(row?.requests ?? 0), hits: Number(row?.hits ?? 0) }
      }
      return {
        ...{ bytes: of('bytes'), meaning: of('meaning'), ignored: of('ignored') },
        ...{ different: of('different'), failed: of('failed'), left: of('left') },
      }
    },
    /** Whether both services have responded to a request as the interface does. */
    isProven: () => isProven,
    /** Causes of differences, the largest first; with a rule, the differences do not count. */
    causes: (): ReplayGroup[] =>
      rowsOf('SELECT * FROM causes ORDER BY hits DESC, requests DESC').map(groupOf),
    examplesOf: (cause: ReplayCause): ProbeExample[] =>
      rowsOf('SELECT * FROM examples WHERE cause = ?', keyOf(cause)).map((row) => ({
        query: stringOf(row.query),
        old: responseFrom(row.old_status, row.old_type, row.old_body),
        gateway: responseFrom(row.new_status, row.new_type, row.new_body),
      })),
    latency(side: 'old' | 'new'): Latency | null {
      const compared = `FROM requests WHERE ${side}_ms IS NOT NULL`
      const [p50, p99] = [50, 99].map((part) => {
        const rank = `(SELECT (count(*) * ${part} + 99) / 100 - 1 ${compared})`
        return rowsOf(`SELECT ${side}_ms AS ms ${compared} ORDER BY 1 LIMIT 1 OFFSET ${rank}`)[0]?.ms
      })
      return p50 === undefined ? null : { p50: Number(p50), p99: Number(p99) }
    },
    /** Why requests failed, the most frequent reasons first. */
    failures: () =>
      rowsOf(
        `SELECT reason, count(*) AS requests FROM requests WHERE verdict = 'failed' GROUP BY reason ORDER BY 2 DESC LIMIT 10`,
      ).map((row) => ({ reason: stringOf(row.reason), requests: Number(row.requests) })),
    close: () => database.close(),
  }
}

type LedgerRow = Readonly<Record<string, unknown>>

function groupOf(row: LedgerRow): ReplayGroup {
  return {
    ...{ event: stringOf(row.event), method: stringOf(row.method), format: stringOf(row.format) },
    ...{ scope: stringOf(row.scope), field: stringOf(row.field), kind: stringOf(row.kind) },
    ...{ requests: Number(row.requests), hits: Number(row.hits), query: stringOf(row.query) },
    ...{ old: stringOf(row.old), new: stringOf(row.new), rule: isRule(row.rule) ? row.rule : null },
  }
}

function isRule(name: unknown): name is DifferenceRule {
  return typeof name === 'string' && Object.hasOwn(rules, name)
}

const columnsOf = ({ status, headers, body }: ResponsePair['old']) =>
  [status, headers['content-type'] ?? '', body] as const

function responseFrom(status: unknown, type: unknown, body: unknown): ResponsePair['old'] {
  return {
    status: Number(status),
    headers: { 'content-type': stringOf(type) },
    body: Buffer.from(body instanceof Uint8Array ? body : []),
  }
}
