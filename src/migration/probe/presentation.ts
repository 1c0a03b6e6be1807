// A probe as a report for people.

import type { BarPart } from '../../pages/figures.ts'
import { capitalised, counted, percent, shorten } from '../../text.ts'
import { long, minuteOf, type Report, type ReportTable, text } from '../report/report.ts'
import { describeEffect, type ProbeComparison } from './differences.ts'
import { isSame, type ProbeReport } from './report.ts'

/** The gateway with imported data, and the gateway with the old service as its store. */
type GatewayData = 'imported' | 'over'

/** @param file that the dialect was written to, or null */
export function presentProbe(probe: ProbeReport, file: string | null): Report {
  const { url, sent, slowest, made, rows } = probe
  const verdict: Report['verdict'] = isSame(probe)
    ? {
        kind: 'good',
        word: 'Same',
        sentence: 'With this dialect, the gateway responds like the old service.',
      }
    : {
        kind: 'wrong',
        word: 'Different',
        sentence: 'This dialect comes closest. The listed differences remain.',
      }
  return {
    title: 'Probe of an old service',
    verdict,
    facts: [
      ['old service', url],
      ['requests', `${counted(sent, 'request')}; the slowest response took ${Math.round(slowest)} ms`],
      ['made', minuteOf(made)],
    ],
    notices: [],
    summary: { title: `${rows.length} requests, with imported data`, parts: partsOf(probe) },
    notes: notesOn(probe),
    tables: tablesOf(probe),
    text: {
      title: file === null ? 'The dialect (--write FILE writes it to a file)' : 'The dialect',
      text: JSON.stringify(probe.dialect, null, 2),
      isPageOnly: file !== null,
    },
    nextSteps: nextStepsWith(probe, file ?? 'old.json'),
  }
}

function nextStepsWith({ settings, url }: ProbeReport, file: string): Report['nextSteps'] {
  const { DATABASE_MAX_VALUES: _, DATABASE_TIMEOUT: __, ...own } = settings
  const { LEGACY_PATHS: paths = '/' } = settings
  const serve = (all: ProbeReport['settings']) =>
    [...Object.entries(all).map(([name, value]) => `${name}=${value}`), 'lookup serve'].join(' ')
  const path = paths === '/' ? '' : ` --path ${paths}`
  return [
    {
      text: 'Start the gateway with the old service as the store:',
      command: serve({ LEGACY_DIALECT: file, ...settings, DATABASE_URL: url }),
    },
    {
      text: 'Or start it with imported data:',
      command: serve({ LEGACY_DIALECT: file, ...own, DATABASE_URL: 'sqlite:lookup.db' }),
    },
    {
      text: 'Then compare the two services by an access log:',
      command: `lookup replay access.log${path} --old ${url} --new http://localhost:4000${paths.split(',')[0]}`,
    },
  ]
}

const countOf = ({ rows }: ProbeReport, side: GatewayData, result?: ProbeComparison['result']) =>
  rows.filter((row) => row[side]?.result === result).length

function partsOf(probe: ProbeReport): BarPart[] {
  const all = probe.rows.length
  const partOf = (fill: BarPart['fill'], name: string, number: number): BarPart => {
    return { name, fill, share: number / all, value: String(number), detail: percent(number / all) }
  }
  const unsent = countOf(probe, 'imported')
  return [
    partOf('same', 'same bytes', countOf(probe, 'imported', 'same bytes')),
    partOf('alike', 'same meaning', countOf(probe, 'imported', 'same meaning')),
    partOf('other', 'different', countOf(probe, 'imported', 'different')),
    ...(unsent > 0 ? [partOf('left', 'not compared', unsent)] : []),
  ]
}

function notesOn(probe: ProbeReport): string[] {
  const { rows, limit, asStore, codings, changing, since, chat } = probe
  const [bytes, meaning, different] = (['same bytes', 'same meaning', 'different'] as const).map((result) =>
    countOf(probe, 'over', result),
  )
  const unsent = countOf(probe, 'imported')
  const longer =
    limit.beyond === null ? 'A limit beyond that was not looked for' : `Longer lists are ${limit.beyond}`
  const use = (name: string, fault: string | null) =>
    `${name}: ${fault === null ? 'yes' : `no. ${capitalised(fault)}`}.`
  return [
    asStore.lookups === null &&
      `With the old service as the store: ${bytes} of ${rows.length - unsent} responses have the same bytes, ${meaning} the same meaning, ${different} differ.`,
    use('Works as the store (DATABASE_URL)', asStore.lookups),
    use('Can be copied ("lookup import")', asStore.copying),
    `The longest list with a complete response has ${counted(limit.seen, 'value')}. ${longer}.`,
    noteOnChat(chat),
    unsent > 0 && `${unsent} of ${rows.length} requests were not sent. Raise --requests to send more.`,
    changing.length > 0 &&
      `The service changes values by itself, which are not compared: ${changing.join(' ')}`,
    codings.length > 0 &&
      `The old service compresses responses (${codings.join(', ')}) although no request asks for it. The gateway compresses only on request.`,
    since?.length === 0 && 'Nothing changed since the earlier file.',
  ].filter((line) => line !== false)
}

function noteOnChat({ method, tried, isCertain }: ProbeReport['chat']): string {
  if (tried === 0) return 'The method of the chat platform was not looked for.'
  if (method === null)
    return `None of ${tried} words is the method of the chat platform. Find it in an access log ("lookup census"), and pass it with --chat-methods.`
  const doubt = isCertain ? '' : ', probably. To make sure, pass one of its identifiers with --chats'
  return `The method of the chat platform is "${method}"${doubt}.`
}

/** Characters of a value. */
const MAX_SHOWN_LENGTH = 100

/** The value "null" sends the text null for a missing entry. The value null sends nothing. */
function show(value: unknown): string {
  if (value === undefined) return 'the default'
  return shorten(
    typeof value === 'string' && value !== 'null' ? value : JSON.stringify(value),
    MAX_SHOWN_LENGTH,
  )
}

function tablesOf(probe: ProbeReport): ReportTable[] {
  const { rows, unseen, transport, since } = probe
  const found = rows.flatMap(({ imported, over }) =>
    [imported, over].flatMap((one) => one?.differences ?? []),
  )
  const names = new Set(found.map(({ judgement }) => judgement))
  return [
    differencesIn(probe, 'imported', 'different', 'Differences in meaning, which clients notice'),
    differencesIn(probe, 'over', 'different', 'Differences in meaning with the old service as the store'),
    differencesIn(
      ...([probe, 'imported', 'same meaning'] as const),
      'Differences in form only, which clients that parse JSON or XML do not notice',
    ),
    prose(
      'Effect of these differences on clients',
      ['difference', 'effect'],
      Array.from(names, describeEffect),
    ),
    prose(
      'Choices that the old service did not show (other values explain as much)',
      ['choice', 'value', 'others', 'request that shows it', 'needs'],
      unseen.map(({ choice, value, others, request, needs }) => [
        choice,
        show(value),
        others.map(show).join(', '),
        shorten(request, 2 * MAX_SHOWN_LENGTH),
        needs,
      ]),
    ),
    prose(
      'Headers and unusual requests, which are no part of a dialect',
      ['request', 'old service', 'gateway'],
      transport.map(({ title, old, gateway }) => [title, old, gateway]),
    ),
    prose(
      'Changes since the earlier file',
      ['choice', 'was', 'is'],
      (since ?? []).map(({ choice, was, is }) => [choice, show(was), show(is)]),
    ),
    {
      ...prose(
        'All requests',
        ['request', 'query', 'with imported data', 'with the old service as the store'],
        rows.map(({ title, query, imported, over }) => [
          ...[title, query, imported?.result ?? 'not compared', over?.result ?? 'not compared'],
        ]),
      ),
      isPageOnly: true,
    },
  ]
}

function prose(
  title: string,
  [first = '', ...others]: readonly string[],
  rows: ReportTable['rows'],
): ReportTable {
  return { title, columns: [text(first), ...others.map(long)], rows, isProse: true }
}

/** For `over`, lists only the differences that the gateway with imported data does not have. */
function differencesIn(
  { rows }: ProbeReport,
  side: GatewayData,
  result: ProbeComparison['result'],
  title: string,
): ReportTable {
  const listed = rows
    .filter(({ imported, over }) => side === 'imported' || JSON.stringify(imported) !== JSON.stringify(over))
    .filter((row) => row[side]?.result === result)
    .flatMap((row) => row[side]?.differences.map(({ line }) => [row.title, line, row.query]) ?? [])
  return prose(title, ['request', 'difference', 'query'], listed)
}
