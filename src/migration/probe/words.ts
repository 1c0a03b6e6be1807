// The report in words: the same sentences and tables in a terminal and on a page.

import { capitalised, counted, shorten, visible } from '../../text.ts'
import type { Comparison } from './differences.ts'
import { clientNames, clients, judgements } from './judgements.ts'
import { isSame, type ProbeReport } from './report.ts'

/** A table. The first column names what the row is about. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** The two sides of a report: the gateway with imported data, and with the old service as its store. */
type Side = 'imported' | 'over'

export function openingOf({ url, sent, slowest }: ProbeReport): string {
  return `Old service: ${url}. ${counted(sent, 'request')} sent; the slowest response took ${Math.round(slowest)} ms.`
}

/** How many responses are the same. */
export function countsOf({ rows }: ProbeReport, side: Side) {
  const countOf = (result: Comparison['result']) => rows.filter((row) => row[side]?.result === result).length
  const [bytes, meaning, different] = [countOf('same bytes'), countOf('same meaning'), countOf('different')]
  return { bytes, meaning, different, compared: bytes + meaning + different }
}

export function summaryOf(report: ProbeReport): string[] {
  const { rows, limit, asStore, codings, changing } = report
  const sayCounts = (side: Side, data: string) => {
    const { bytes, meaning, different, compared } = countsOf(report, side)
    return `${data}: ${bytes} of ${compared} responses have the same bytes, ${meaning} the same meaning, ${different} differ.`
  }
  const unasked = rows.filter(({ imported }) => imported === null).length
  const longer =
    limit.beyond === null ? 'A limit beyond that was not looked for' : `Longer lists are ${limit.beyond}`
  return [
    sayCounts('imported', 'With imported data'),
    asStore.lookups === null && sayCounts('over', 'With the old service as the store'),
    sayUse('Works as the store (DATABASE_URL)', asStore.lookups),
    sayUse('Can be copied ("lookup import")', asStore.copying),
    `The longest list with a complete response has ${counted(limit.seen, 'value')}. ${longer}.`,
    sayChat(report),
    unasked > 0 && `${unasked} of ${rows.length} requests were not sent. Raise --requests to send more.`,
    changing.length > 0 &&
      `The service changes values by itself, which are not compared: ${changing.join(' ')}`,
    codings.length > 0 &&
      `The old service compresses responses (${codings.join(', ')}) although no request asks for it. The gateway compresses only on request.`,
  ].filter((line) => line !== false)
}

function sayUse(use: string, fault: string | null): string {
  return fault === null ? `${use}: yes.` : `${use}: no. ${capitalised(fault)}.`
}

function sayChat({ chat: { method, tried, isCertain } }: ProbeReport): string {
  if (tried === 0) return 'The method of the chat platform was not looked for.'
  if (method === null)
    return `None of ${tried} words is the method of the chat platform. Find it in an access log ("lookup census"), and pass it with --chat-methods.`
  const found = `The method of the chat platform is "${method}"`
  return isCertain
    ? `${found}.`
    : `${found}, probably. To make sure, pass one of its identifiers with --chats.`
}

export const headingOf = (report: ProbeReport): string =>
  isSame(report)
    ? 'With this dialect, the gateway responds like the old service.'
    : 'This dialect comes closest. The differences listed above remain.'

/** Characters of a value. */
const MAX_SHOWN_LENGTH = 100
/** The text null stands for missing entries of some services; null alone leaves them out. */
const show = (value: unknown) =>
  value === undefined
    ? 'the default'
    : shorten(typeof value === 'string' && value !== 'null' ? value : JSON.stringify(value), MAX_SHOWN_LENGTH)

/** Tables without a row are left out. */
export function tablesOf(report: ProbeReport): Table[] {
  const { rows, unseen, transport, since } = report
  const columns = ['request', 'difference', 'query']
  const names = new Set(
    rows
      .flatMap(({ imported, over }) => [...(imported?.differences ?? []), ...(over?.differences ?? [])])
      .map(({ judgement }) => judgement),
  )
  const tables: Table[] = [
    {
      title: 'Differences in meaning. Clients that rely on these notice:',
      ...{ columns, rows: differencesOf(report, 'imported', false) },
    },
    {
      title: 'Differences in meaning with the old service as the store:',
      ...{ columns, rows: differencesOf(report, 'over', false) },
    },
    {
      title: 'Differences in form only. Clients that parse JSON or XML do not notice:',
      ...{ columns, rows: differencesOf(report, 'imported', true) },
    },
    {
      title: 'What these differences mean for clients:',
      columns: ['difference', ...clientNames.map((name) => clients[name])],
      rows: [...names]
        .map((name) => judgements[name])
        .map((one) => [one.what, ...clientNames.map((name) => one[name])]),
    },
    {
      title: 'What the old service did not show (another value explains as much):',
      columns: ['choice', 'value', 'others', 'request that shows it', 'needs'],
      rows: unseen.map(({ choice, value, others, request, needs }) => [
        ...[choice, show(value), others.map(show).join(', '), shorten(request, 2 * MAX_SHOWN_LENGTH), needs],
      ]),
    },
    {
      title: 'What only connections show:',
      columns: ['request', 'old service', 'gateway'],
      rows: transport.map(({ title, old, gateway }) => [title, old, gateway]),
    },
    {
      title: 'Changes since the earlier file:',
      columns: ['choice', 'was', 'is'],
      rows: (since ?? []).map(({ choice, was, is }) => [choice, show(was), show(is)]),
    },
  ]
  return tables.filter((table) => table.rows.length > 0)
}

/** Of the gateway over the old service, only what differs from imported data. */
function differencesOf({ rows }: ProbeReport, side: Side, isHarmless: boolean): string[][] {
  return rows
    .filter(({ imported, over }) => side === 'imported' || JSON.stringify(imported) !== JSON.stringify(over))
    .flatMap(({ title, query, [side]: comparison }) =>
      (comparison?.differences ?? [])
        .filter(({ judgement }) => judgements[judgement].harmless === isHarmless)
        .map(({ line }) => [title, line, query]),
    )
}

/** @param file with the dialect */
export function nextCommandsOf({ settings, url }: ProbeReport, file: string): string[] {
  const { DATABASE_MAX_VALUES: _, DATABASE_TIMEOUT: __, ...own } = settings
  const texts = (all: ProbeReport['settings']) =>
    Object.entries({ LEGACY_DIALECT: file, ...all }).map(([name, value]) => `${name}=${value} `)
  return [
    `${texts(own).join('')}lookup serve`,
    `${texts(settings).join('')}DATABASE_URL=${url} lookup serve`,
    `lookup replay access.log --old ${url} --new http://localhost:4000/`,
  ]
}

export const dialectText = ({ dialect }: ProbeReport) => JSON.stringify(dialect, null, 2)

/** @param file that the dialect was written to; null prints the dialect */
export function printProbe(report: ProbeReport, file: string | null): string {
  const [serve, serveOver, replay] = nextCommandsOf(report, file ?? 'old.json')
  const lines = [
    ...[openingOf(report), '', ...summaryOf(report), ''],
    ...tablesOf(report).flatMap(linesOf),
    ...(report.since?.length === 0 ? ['Nothing changed since the earlier file.', ''] : []),
    ...[headingOf(report), ''],
    ...(file === null
      ? ['The dialect (--write FILE writes it to a file):', '', ...dialectText(report).split('\n'), '']
      : []),
    'Next, with imported data, or with the old service as the store:',
    `  ${serve}`,
    `  ${serveOver}`,
    'Then compare the two services by an access log:',
    `  ${replay}`,
  ]
  return lines.map((line) => `${visible(line).trimEnd()}\n`).join('')
}

function linesOf({ title, columns, rows }: Table): string[] {
  const lines = rows.map(([first = '', ...cells]) => {
    const texts = cells.flatMap((cell, at) => (cell === '' ? [] : [`${columns[at + 1]}: ${cell}`]))
    return `  ${first}: ${texts.join('; ')}`
  })
  return [title, ...lines, '']
}
