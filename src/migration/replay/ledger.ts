// The state file of `lookup replay`: the distinct requests of the log with their numbers (hits), the verdict
// on each, and the causes of differences. An SQLite file holds exact counts of any log in little memory, and
// survives Ctrl+C. Three phases use it, in this order:
//
// 1. read the log: `startReading`, `finishReading`
// 2. compare: `take`, then `record` or `fail`, until no request is left
// 3. report: all other methods
//
// No client depends on this file, but an operator decides by its counts. If you change the tables, raise
// `version` in `identityOf` (command.ts): a replay in progress then has to start again.

import { type Comparison, type DifferenceRule, rules } from '../compare/difference.ts'
import { hasLookupEntry } from '../compare/meaning.ts'
import { meaningOf } from '../compare/read.ts'
import type { LogSummary } from '../logs/account.ts'
import { namesIn } from '../logs/legacy.ts'
import type { LogHead } from '../logs/lines.ts'
import { durable, openProgressFile, ProgressFileError, textOf } from '../progress-file.ts'
import { openExamples } from './examples.ts'
import type {
  CountedRequest,
  Latency,
  NoiseGroup,
  ReplayCause,
  ReplayCount,
  ReplayGroup,
  ReplayVerdict,
  ResponsePair,
} from './results.ts'

/**
 * `verdict`: null (not sent yet), `sent` (in flight), `failed`, or the verdict of the comparison.
 * `rule`: why a difference does not count; empty if it counts. `query`, `old`, `new` and `example_hits` are
 * the example of a cause.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS requests (
    query TEXT PRIMARY KEY, hits INTEGER NOT NULL, verdict TEXT, reason TEXT, failures INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS causes (
    event TEXT, method TEXT, format TEXT, scope TEXT, field TEXT, kind TEXT, rule TEXT,
    requests INTEGER, hits INTEGER, query TEXT, old TEXT, new TEXT, example_hits INTEGER,
    PRIMARY KEY (event, method, format, scope, field, kind, rule)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS latency (
    side TEXT, milliseconds INTEGER, responses INTEGER, PRIMARY KEY (side, milliseconds)
  ) WITHOUT ROWID;`

/**
 * The example of a cause is its most frequent request, and the first by its text if several are as frequent:
 * a replay has the same report again, although responses arrive in any order.
 */
const isBetterExample =
  'excluded.example_hits > example_hits OR (excluded.example_hits = example_hits AND excluded.query < query)'
const exampleColumns = ['query', 'old', 'new', 'example_hits']

/**
 * Causes that count, and as many that do not. Further causes are stored as one cause, `others`: clients that
 * invent names of events or fields must not fill the disk, or the report.
 */
const MAX_CAUSES = 500

/** Characters of an example. */
const MAX_STORED_LENGTH = 1_000

/** Describes a state file that is not of this replay. */
export const anotherReplay = 'another replay, or the log has been replaced'

export type Ledger = ReturnType<typeof openLedger>

/**
 * @param identity of the replay: its logs, and the two services
 * @param noise the options that say what does not count; empty if everything does
 * @param accepted a hash of the causes that do not count
 * @throws ProgressFileError
 */
export function openLedger(path: string, identity: string, noise: string, accepted: string) {
  const progressFile = openProgressFile(path, identity, anotherReplay)
  const { database, together, read, write } = progressFile
  if (read('started') === undefined) {
    write('noise', noise)
    write('accepted', accepted)
  } else if (read('noise') !== noise || read('accepted') !== accepted) {
    const options = read('noise') || 'none'
    database.close()
    throw new ProgressFileError(
      `${path} belongs to a replay with other options or causes to accept (${options}). ` +
        'Use the same options to resume it, delete it, or name another file with --state.',
    )
  }
  database.exec(schema)
  // A request in flight at the interruption is sent again, and so is a failed request, after all others.
  database.exec(`
    UPDATE requests SET verdict = NULL, failures = failures + 1 WHERE verdict = 'failed';
    UPDATE requests SET verdict = NULL WHERE verdict = 'sent'`)

  const mark = database.prepare('UPDATE requests SET verdict = ?, reason = ? WHERE query = ?')
  const isKnown = database.prepare(`
    SELECT 1 FROM causes WHERE event = ? AND method = ? AND format = ? AND scope = ? AND field = ? AND kind = ?
      AND rule = ?`)
  const countCauses = database.prepare(`SELECT count(*) AS count FROM causes WHERE (rule = '') = (? = '')`)
  const addCause = database.prepare(`
    INSERT INTO causes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9, ?10, ?11, ?8)
    ON CONFLICT DO UPDATE SET requests = requests + 1, hits = hits + excluded.hits,
      ${exampleColumns.map((name) => `${name} = iif(${isBetterExample}, excluded.${name}, ${name})`).join(', ')}`)
  const addLatency = database.prepare(
    'INSERT INTO latency VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET responses = responses + 1',
  )
  const examples = openExamples(progressFile)
  let hasEntries = read('answered') !== undefined
  const isRead = () => read('log') !== undefined
  const rowsOf = (sql: string) => database.prepare(sql).all()

  function addDifferences(
    request: CountedRequest,
    { differences }: Comparison,
    responses: ResponsePair,
  ): void {
    const { query, hits } = request
    for (const { scope, field, kind, old, new: fresh, excusedBy = '' } of differences) {
      const cause = { ...namesIn(query), scope, field, kind }
      const { event, method, format } = cause
      const key = [event, method, format, scope, field, kind, excusedBy]
      const isCounted =
        isKnown.get(...key) !== undefined || Number(countCauses.get(excusedBy)?.count) < MAX_CAUSES
      const shown = isCounted ? key : ['others', '', '', '', '', kind, excusedBy]
      addCause.run(...shown, hits, query.slice(0, MAX_STORED_LENGTH), old, fresh)
      if (isCounted && excusedBy === '') examples.add(cause, request, responses)
    }
  }

  return {
    /** Whether the log has been read to its end. */
    isRead,
    /**
     * Begins to read the log. A log that has grown is counted in a table of its own first, since the replay
     * must survive an interruption. Causes keep the hits that their requests had when they were compared.
     */
    startReading(): { readonly add: (counts: ReadonlyMap<string, number>) => void } {
      const table = isRead() ? 'temp.recount' : 'requests'
      database.exec(
        isRead()
          ? `DROP TABLE IF EXISTS ${table};
            CREATE TABLE ${table} (query TEXT PRIMARY KEY, hits INTEGER NOT NULL) WITHOUT ROWID`
          : 'DROP INDEX IF EXISTS pending; DELETE FROM requests; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF',
      )
      const addOne = database.prepare(`
        INSERT INTO ${table} (query, hits) VALUES (?, ?) ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`)
      return {
        add(counts) {
          // Neighbours are on one page of the file: in their order, each page is written once.
          const queries = [...counts.keys()].sort()
          together(() => {
            for (const query of queries) addOne.run(query, counts.get(query) ?? 0)
          })
        },
      }
    },
    finishReading(log: LogSummary, heads: readonly LogHead[]): void {
      together(() => {
        if (isRead())
          database.exec(`
            INSERT INTO requests (query, hits) SELECT query, hits FROM temp.recount WHERE true
              ON CONFLICT DO UPDATE SET hits = excluded.hits`)
        else write('started', new Date().toISOString())
        database.exec(
          'CREATE INDEX IF NOT EXISTS pending ON requests (failures, hits DESC) WHERE verdict IS NULL',
        )
        write('heads', JSON.stringify(heads))
        write('log', JSON.stringify(log))
      })
      database.exec(durable)
    },
    log: (): LogSummary => JSON.parse(read('log') ?? '{}'),
    /** The beginning of each log. */
    heads: (): readonly LogHead[] => JSON.parse(read('heads') ?? '[]'),
    started: () => read('started') ?? '',
    /** Requests to send, the most frequent first; each is returned once. */
    take(most: number): CountedRequest[] {
      const rows = database
        .prepare(
          'SELECT query, hits FROM requests WHERE verdict IS NULL ORDER BY failures, hits DESC LIMIT ?',
        )
        .all(most)
      const taken = rows.map(({ query, hits }) => ({ query: textOf(query) ?? '', hits: Number(hits) }))
      together(() => {
        for (const { query } of taken) mark.run('sent', null, query)
      })
      return taken
    },
    record(request: CountedRequest, comparison: Comparison, responses: ResponsePair): void {
      together(() => {
        mark.run(comparison.verdict, null, request.query)
        if (!hasEntries) {
          hasEntries = [responses.old, responses.fresh].every((one) => hasLookupEntry(meaningOf(one)))
          if (hasEntries) write('answered', request.query)
        }
        addDifferences(request, comparison, responses)
        for (const [side, milliseconds] of Object.entries(responses.latency))
          addLatency.run(side, Math.ceil(milliseconds))
      })
    },
    fail(request: CountedRequest, reason: string): void {
      mark.run('failed', reason, request.query)
    },
    /** Requests and hits by verdict; `left` have not been compared. */
    counts(): Readonly<Record<ReplayVerdict | 'left', ReplayCount>> {
      const rows = rowsOf(
        `SELECT coalesce(verdict, 'left') AS verdict, count(*) AS requests, sum(hits) AS hits FROM requests GROUP BY verdict`,
      )
      const of = (...verdicts: readonly string[]): ReplayCount => {
        const some = rows.filter(({ verdict }) => verdicts.includes(textOf(verdict) ?? ''))
        const sum = (name: 'requests' | 'hits') => some.reduce((total, row) => total + Number(row[name]), 0)
        return { requests: sum('requests'), hits: sum('hits') }
      }
      return {
        bytes: of('bytes'),
        meaning: of('meaning'),
        ignored: of('ignored'),
        different: of('different'),
        failed: of('failed'),
        left: of('left', 'sent'),
      }
    },
    /** Causes of differences that count, the largest first. */
    groups: (): ReplayGroup[] =>
      rowsOf(`SELECT * FROM causes WHERE rule = '' ORDER BY hits DESC, requests DESC`).map(groupOf),
    /** Whether both services have responded to a request with entries of a lookup, or with an empty list. */
    hasEntries: () => hasEntries,
    examplesOf: examples.of,
    accepted: (): ReplayCause[] => rowsOf(`SELECT * FROM causes WHERE rule = 'accepted'`).map(causeOf),
    /**
     * Fields whose differences do not count, the largest first. SQLite takes the example from the row of
     * max().
     */
    noise: (): NoiseGroup[] =>
      rowsOf(
        `SELECT event, field, kind, rule, sum(requests) AS requests, sum(hits) AS hits, query, old, new,
          max(example_hits) FROM causes WHERE rule <> '' GROUP BY event, field, kind, rule
          ORDER BY hits DESC, requests DESC`,
      ).flatMap((row) => {
        if (!isRule(row.rule)) return []
        const { method: _, format: __, scope: ___, ...group } = groupOf(row)
        return [{ ...group, reason: row.rule }]
      }),
    latency: (side: 'old' | 'new'): Latency | null => {
      const quantile = database.prepare(`
        SELECT milliseconds FROM (
          SELECT milliseconds, sum(responses) OVER (ORDER BY milliseconds) AS upto, sum(responses) OVER () AS total
          FROM latency WHERE side = ?1
        ) WHERE upto >= total * ?2 ORDER BY milliseconds LIMIT 1`)
      const [p50, p99] = [0.5, 0.99].map((part) => quantile.get(side, part)?.milliseconds)
      return p50 === undefined ? null : { p50: Number(p50), p99: Number(p99) }
    },
    /** Why requests failed, the most frequent reasons first. */
    failures: () =>
      rowsOf(
        `SELECT reason, count(*) AS requests FROM requests WHERE verdict = 'failed' GROUP BY reason ORDER BY 2 DESC LIMIT 10`,
      ).map(({ reason, requests }) => ({ reason: textOf(reason) ?? '', requests: Number(requests) })),
    close: () => database.close(),
  }
}

type LedgerRow = Readonly<Record<string, unknown>>

const text = (row: LedgerRow, name: string) => textOf(row[name]) ?? ''

function causeOf(row: LedgerRow): ReplayCause {
  return {
    ...{ event: text(row, 'event'), method: text(row, 'method'), format: text(row, 'format') },
    ...{ scope: text(row, 'scope'), field: text(row, 'field'), kind: text(row, 'kind') },
  }
}

function groupOf(row: LedgerRow): ReplayGroup {
  const [requests, hits] = [Number(row.requests), Number(row.hits)]
  const [query, old, fresh] = [text(row, 'query'), text(row, 'old'), text(row, 'new')]
  return { ...causeOf(row), requests, hits, query, old, new: fresh }
}

function isRule(name: unknown): name is DifferenceRule {
  return typeof name === 'string' && Object.hasOwn(rules, name)
}
