// The state file of a replay: which requests there are, how often the log has each, and how the responses
// differ. An SQLite file holds exact counts of any log in little memory, and outlasts Ctrl+C.

import { type Comparison, type Rule, rules } from '../compare/difference.ts'
import type { LogSummary } from '../logs/account.ts'
import { namesIn } from '../logs/legacy.ts'
import type { LogHead } from '../logs/lines.ts'
import { durable, openProgressFile, ProgressFileError, textOf } from '../progress-file.ts'
import { openExamples } from './examples.ts'
import type {
  Cause,
  CountedRequest,
  Group,
  Latency,
  NoiseGroup,
  Responses,
  Tally,
  Verdict,
} from './settled.ts'

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

/** The most frequent request; of several, the first one: responses arrive in any order. */
const isBetterExample =
  'excluded.example_hits > example_hits OR (excluded.example_hits = example_hits AND excluded.query < query)'
const exampleColumns = ['query', 'old', 'new', 'example_hits']

/**
 * Causes that count, and causes that do not: clients that make up names of events or fields must not fill the
 * disk, or a report.
 */
const MAX_CAUSES = 500

/** Characters of an example. */
const MAX_STORED_LENGTH = 1_000

/** Whose state file this is, if it is not of this replay. */
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
  const { database, together } = progressFile
  const before = progressFile.read('noise') ?? ''
  if (progressFile.read('started') === undefined) {
    progressFile.write('noise', noise)
    progressFile.write('accepted', accepted)
  } else if (before !== noise || progressFile.read('accepted') !== accepted) {
    database.close()
    const options = before === '' ? 'none of --ignore, --tolerate and --learn' : before
    throw new ProgressFileError(
      `${path} belongs to a replay with ${before === noise ? 'other causes to accept' : options}. ` +
        'Use the same options to resume it, delete it, or name another file with --state.',
    )
  }
  database.exec(schema)
  // A request in flight at the interruption is sent again, and so is a failed request, after all others.
  database.exec(`
    UPDATE requests SET verdict = NULL, failures = failures + 1 WHERE verdict = 'failed';
    UPDATE requests SET verdict = NULL WHERE verdict = 'sent'`)

  const addOne = database.prepare(
    'INSERT INTO requests (query, hits) VALUES (?, ?) ON CONFLICT DO UPDATE SET hits = hits + excluded.hits',
  )
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
  let hasAnswer = progressFile.read('answered') !== undefined

  function addDifferences(request: CountedRequest, { differences }: Comparison, responses: Responses): void {
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
    isRead: () => progressFile.read('log') !== undefined,
    /** Begins to read the log: nothing was sent before its end was known. */
    clear: () =>
      database.exec(
        'DROP INDEX IF EXISTS pending; DELETE FROM requests; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF',
      ),
    add(counts: ReadonlyMap<string, number>): void {
      // Neighbours are on one page of the file: in their order, each page is written once.
      const queries = [...counts.keys()].sort()
      together(() => {
        for (const query of queries) addOne.run(query, counts.get(query) ?? 0)
      })
    },
    finishReading(log: LogSummary, heads: readonly LogHead[]): void {
      database.exec(
        'CREATE INDEX IF NOT EXISTS pending ON requests (failures, hits DESC) WHERE verdict IS NULL',
      )
      progressFile.write('heads', JSON.stringify(heads))
      progressFile.write('started', new Date().toISOString())
      progressFile.write('log', JSON.stringify(log))
      database.exec(durable)
    },
    log: (): LogSummary => JSON.parse(progressFile.read('log') ?? '{}'),
    /** The beginning of each log. */
    heads: (): readonly LogHead[] => JSON.parse(progressFile.read('heads') ?? '[]'),
    started: () => progressFile.read('started') ?? '',
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
    settle(request: CountedRequest, comparison: Comparison, responses: Responses): void {
      together(() => {
        mark.run(comparison.verdict, null, request.query)
        const isAnswer = Math.min(responses.old.status, responses.fresh.status) < 400
        if (isAnswer && !hasAnswer) progressFile.write('answered', request.query)
        hasAnswer ||= isAnswer
        addDifferences(request, comparison, responses)
        for (const [side, milliseconds] of Object.entries(responses.latency))
          addLatency.run(side, Math.ceil(milliseconds))
      })
    },
    fail(request: CountedRequest, reason: string): void {
      mark.run('failed', reason, request.query)
    },
    /** By verdict; `left` has not been compared. */
    tallies(): Readonly<Record<Verdict | 'left', Tally>> {
      const rows = database
        .prepare(
          `SELECT coalesce(verdict, 'left') AS verdict, count(*) AS requests, sum(hits) AS hits FROM requests GROUP BY verdict`,
        )
        .all()
      const of = (...verdicts: readonly string[]): Tally => {
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
    groups: (): Group[] =>
      database
        .prepare(`SELECT * FROM causes WHERE rule = '' ORDER BY hits DESC, requests DESC`)
        .all()
        .map(groupOf),
    /** Whether a service has responded to a request without the status of an error. */
    hasAnswer: () => hasAnswer,
    examplesOf: examples.of,
    accepted: (): Cause[] =>
      database.prepare(`SELECT * FROM causes WHERE rule = 'accepted'`).all().map(causeOf),
    /**
     * Fields whose differences do not count, the largest first. SQLite takes the example from the row of
     * max().
     */
    noise: (): NoiseGroup[] =>
      database
        .prepare(
          `SELECT event, field, kind, rule, sum(requests) AS requests, sum(hits) AS hits, query, old, new,
            max(example_hits) FROM causes WHERE rule <> '' GROUP BY event, field, kind, rule
            ORDER BY hits DESC, requests DESC`,
        )
        .all()
        .flatMap((row) => (isRule(row.rule) ? [noiseOf(row, row.rule)] : [])),
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
      database
        .prepare(
          `SELECT reason, count(*) AS requests FROM requests WHERE verdict = 'failed' GROUP BY reason ORDER BY 2 DESC LIMIT 10`,
        )
        .all()
        .map(({ reason, requests }) => ({ reason: textOf(reason) ?? '', requests: Number(requests) })),
    close: () => database.close(),
  }
}

type Row = Readonly<Record<string, unknown>>

const text = (row: Row, name: string) => textOf(row[name]) ?? ''

function causeOf(row: Row): Cause {
  return {
    event: text(row, 'event'),
    method: text(row, 'method'),
    format: text(row, 'format'),
    scope: text(row, 'scope'),
    field: text(row, 'field'),
    kind: text(row, 'kind'),
  }
}

function groupOf(row: Row): Group {
  return {
    ...causeOf(row),
    requests: Number(row.requests),
    hits: Number(row.hits),
    query: text(row, 'query'),
    old: text(row, 'old'),
    new: text(row, 'new'),
  }
}

function noiseOf(row: Row, reason: Rule): NoiseGroup {
  const { event, field, kind, requests, hits, query, old, new: fresh } = groupOf(row)
  return { event, field, kind, reason, requests, hits, query, old, new: fresh }
}

function isRule(name: unknown): name is Rule {
  return typeof name === 'string' && Object.hasOwn(rules, name)
}
