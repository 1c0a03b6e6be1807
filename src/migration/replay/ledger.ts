// The books of a replay, on disk: which requests there are, how often each was asked for, and what came of
// it. Exact, where a sketch could only estimate; of any size, in some memory of a fixed one; and still there
// after Ctrl-C.

import type { LogSummary } from '../logs/account.ts'
import { askedBy } from '../logs/legacy.ts'
import type { LogHead } from '../logs/lines.ts'
import { durable, openProgressFile, ProgressFileError, textOf } from '../progress-file.ts'
import { openExamples } from './examples.ts'
import {
  type CountedRequest,
  type Group,
  groupOf,
  type Lines,
  type NoiseGroup,
  noiseGroupOf,
  type ResponsePair,
  type Tally,
  type Verdict,
} from './settled.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS requests (
    query TEXT PRIMARY KEY, hits INTEGER NOT NULL, verdict TEXT, reason TEXT, failures INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS groups (
    event TEXT, method TEXT, format TEXT, field TEXT, kind TEXT,
    requests INTEGER, hits INTEGER, query TEXT, old TEXT, new TEXT, example_hits INTEGER,
    PRIMARY KEY (event, method, format, field, kind)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS noise (
    event TEXT, field TEXT, kind TEXT, reason TEXT,
    requests INTEGER, hits INTEGER, query TEXT, old TEXT, new TEXT, example_hits INTEGER,
    PRIMARY KEY (event, field, kind, reason)
  ) WITHOUT ROWID;`

/** The example is of the request that was asked for most; of several, of the first by its text. */
const isBetterExample =
  'excluded.example_hits > example_hits OR (excluded.example_hits = example_hits AND excluded.query < query)'

const example = ['query', 'old', 'new', 'example_hits']

/** Answers arrive in any order, and two replays of one log must show the same example. */
const addedUp = `
  ON CONFLICT DO UPDATE SET requests = requests + 1, hits = hits + excluded.hits,
    ${example.map((name) => `${name} = iif(${isBetterExample}, excluded.${name}, ${name})`).join(', ')}`

/**
 * Groups that are told apart; clients that make up names of events or fields must not fill the disk, or a
 * report.
 */
const MAX_GROUPS = 500

/** Characters of an example. */
const MAX_STORED_LENGTH = 1_000

/** Whose state file this is, if it is not of this replay. */
export const anotherReplay = 'another replay, or the log has been replaced'

export type Ledger = ReturnType<typeof openLedger>

/**
 * @param identity of the replay: what is read, and which services are asked
 * @param noise the options that say what does not count; empty where everything does
 * @throws ProgressFileError
 */
export function openLedger(path: string, identity: string, noise: string) {
  const progressFile = openProgressFile(path, identity, anotherReplay)
  const { database, together } = progressFile
  const before = progressFile.read('noise') ?? ''
  if (progressFile.read('started') === undefined) progressFile.write('noise', noise)
  else if (before !== noise) {
    database.close()
    throw new ProgressFileError(
      `${path} belongs to a replay with ${before === '' ? 'none of --ignore, --tolerate and --learn' : before}. ` +
        'Use the same options to resume it, delete it, or name another file with --state.',
    )
  }
  database.exec(schema)
  // What was on its way when it was interrupted is asked again; and so is what failed, after all the rest.
  database.exec(`
    UPDATE requests SET verdict = NULL, failures = failures + 1 WHERE verdict = 'failed';
    UPDATE requests SET verdict = NULL WHERE verdict = 'sent'`)

  const addOne = database.prepare(
    'INSERT INTO requests (query, hits) VALUES (?, ?) ON CONFLICT DO UPDATE SET hits = hits + excluded.hits',
  )
  const mark = database.prepare('UPDATE requests SET verdict = ?, reason = ? WHERE query = ?')
  const countGroups = database.prepare('SELECT count(*) AS count FROM groups')
  const countNoise = database.prepare('SELECT count(*) AS count FROM noise')
  const addToNoise = database.prepare(`
    INSERT INTO noise VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?) ${addedUp}`)
  const addToGroup = database.prepare(`
    INSERT INTO groups VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?) ${addedUp}`)

  const examples = openExamples(progressFile)
  const isFull = (groups: typeof countGroups) => Number(groups.get()?.count) >= MAX_GROUPS

  function addDifferences(request: CountedRequest, { comparison, ...responses }: ResponsePair) {
    const [{ query, hits }, { differences }] = [request, comparison]
    const { event, method, format } = askedBy(query)
    const shown = query.slice(0, MAX_STORED_LENGTH)
    const full = isFull(countGroups)
    const isNoisy = isFull(countNoise)
    const asked = full ? ['others', '', ''] : [event, method, format]
    for (const { field, kind, old, new: fresh, excusedBy } of differences) {
      if (excusedBy !== undefined) {
        const of = isNoisy ? ['others', ''] : [event, field]
        addToNoise.run(...of, kind, excusedBy, hits, shown, old, fresh, hits)
        continue
      }
      addToGroup.run(...asked, full ? '' : field, kind, hits, shown, old, fresh, hits)
      if (!full) examples.add({ event, method, format, field, kind }, request, responses)
    }
  }

  return {
    /** Whether the log has been read to its end. */
    isRead: () => progressFile.read('lines') !== undefined,
    /** Begins to read anew: nothing was sent before the end of the log was known. */
    clear: () =>
      database.exec(
        'DROP INDEX IF EXISTS pending; DELETE FROM requests; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF',
      ),
    add(counts: ReadonlyMap<string, number>): void {
      // Neighbours are on the same page of the file: in their order, each page is written once.
      const queries = [...counts.keys()].sort()
      together(() => {
        for (const query of queries) addOne.run(query, counts.get(query) ?? 0)
      })
    },
    finishReading(lines: Lines, log: LogSummary, heads: readonly LogHead[]): void {
      database.exec(
        'CREATE INDEX IF NOT EXISTS pending ON requests (failures, hits DESC) WHERE verdict IS NULL',
      )
      progressFile.write('log', JSON.stringify(log))
      progressFile.write('heads', JSON.stringify(heads))
      progressFile.write('lines', JSON.stringify(lines))
      progressFile.write('started', new Date().toISOString())
      database.exec(durable)
    },
    lines: () => progressFile.read('lines'),
    /** As JSON. */
    log: () => progressFile.read('log'),
    /** What each log began with. */
    heads: (): readonly LogHead[] => JSON.parse(progressFile.read('heads') ?? '[]'),
    started: () => progressFile.read('started') ?? '',
    /** Requests that are to be sent, those first that are asked for most; each is handed out once. */
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
    settle(request: CountedRequest, compared: ResponsePair): void {
      together(() => {
        mark.run(compared.comparison.verdict, null, request.query)
        addDifferences(request, compared)
      })
    },
    fail(request: CountedRequest, reason: string): void {
      mark.run('failed', reason, request.query)
    },
    /** By verdict; `left` for what has not been compared. */
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
    /** The largest first. */
    groups: (): Group[] =>
      database.prepare('SELECT * FROM groups ORDER BY hits DESC, requests DESC').all().map(groupOf),
    examplesOf: examples.of,
    /** What did not count; the largest first. */
    noise: (): NoiseGroup[] =>
      database.prepare('SELECT * FROM noise ORDER BY hits DESC, requests DESC').all().flatMap(noiseGroupOf),
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
