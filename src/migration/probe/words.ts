// The report in words: the same sentences and tables in a terminal and on a page.

import { capitalised, counted, shorten, visible } from '../../text.ts'
import type { Comparison } from './differences.ts'
import { clientNames, clients, isHarmless, judgements } from './judgements.ts'
import type { ProbeReport, ReportRow } from './report.ts'

/** A table. The first column names what the row is about. */
export interface Section {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function openingOf({ url, sent, slowest }: ProbeReport): string {
  return `Old service: ${url}. ${counted(sent, 'request')} sent; the slowest response took ${Math.round(slowest)} ms.`
}

/** How many responses are the same. */
export function countsOf({ rows }: Pick<ProbeReport, 'rows'>, side: 'imported' | 'over') {
  const countOf = (result: Comparison['result']) => rows.filter((row) => row[side]?.result === result).length
  const [bytes, meaning, different] = [countOf('same bytes'), countOf('same meaning'), countOf('different')]
  return { bytes, meaning, different, compared: bytes + meaning + different }
}

export function summaryOf(report: ProbeReport): string[] {
  const { rows, chat, limit, asStore, codings, changing } = report
  const sayCounts = (side: 'imported' | 'over', data: string) => {
    const { bytes, meaning, different, compared } = countsOf(report, side)
    return `${data}: ${bytes} of ${compared} responses have the same bytes, ${meaning} the same meaning, ${different} differ.`
  }
  const unasked = rows.filter(({ imported }) => imported === null).length
  const found = `The method of the chat platform is "${chat.method}"`
  const longer =
    limit.beyond === null ? 'A limit beyond that was not looked for' : `Longer lists are ${limit.beyond}`
  return [
    sayCounts('imported', 'With imported data'),
    ...(asStore.lookups === null ? [sayCounts('over', 'With the old service as the store')] : []),
    sayUse('Works as the store (DATABASE_URL)', asStore.lookups),
    sayUse('Can be copied ("lookup import")', asStore.copying),
    `The longest list with a complete response has ${counted(limit.seen, 'value')}. ${longer}.`,
    chat.tried === 0
      ? 'The method of the chat platform was not looked for.'
      : chat.method === null
        ? `None of ${chat.tried} words is the method of the chat platform. Find it in an access log ("lookup census"), and pass it with --chat-methods.`
        : chat.isCertain
          ? `${found}.`
          : `${found}, probably. To make sure, pass one of its identifiers with --chats.`,
    ...(unasked === 0
      ? []
      : [`${unasked} of ${rows.length} requests were not sent. Raise --requests to send more.`]),
    ...(changing.length === 0
      ? []
      : [`The service changes values by itself, which are not compared: ${changing.join(' ')}`]),
    ...(codings.length === 0
      ? []
      : [
          `The old service compresses responses (${codings.join(', ')}) although no request asks for it. The gateway compresses only on request.`,
        ]),
  ]
}

function sayUse(use: string, fault: string | null): string {
  return fault === null ? `${use}: yes.` : `${use}: no. ${capitalised(fault)}.`
}

export const headingOf = (report: ProbeReport): string =>
  countsOf(report, 'imported').different === 0
    ? 'With this dialect, the gateway responds like the old service.'
    : 'This dialect comes closest. The differences listed above remain.'

/** Characters of a value. */
const MAX_SHOWN_LENGTH = 100
/** The text null stands for missing entries of some services; null alone leaves them out. */
const show = (value: unknown) =>
  value === undefined
    ? 'the default'
    : shorten(typeof value === 'string' && value !== 'null' ? value : JSON.stringify(value), MAX_SHOWN_LENGTH)

/** Sections without a row are left out. */
export function sectionsOf(report: ProbeReport): Section[] {
  const { rows, unseen, transport, since } = report
  const differencesOf = (side: 'imported' | 'over', harmless: boolean, some: readonly ReportRow[] = rows) =>
    some.flatMap((row) =>
      (row[side]?.differences ?? [])
        .filter(({ judgement }) => isHarmless(judgement) === harmless)
        .map(({ line }) => [row.title, line, row.query]),
    )
  const isOnlyOver = ({ imported, over }: ReportRow) => JSON.stringify(imported) !== JSON.stringify(over)
  const names = new Set(
    rows.flatMap(({ imported, over }) =>
      [...(imported?.differences ?? []), ...(over?.differences ?? [])].map(({ judgement }) => judgement),
    ),
  )
  const columns = ['request', 'difference', 'query']
  const sections: Section[] = [
    {
      title: 'Differences in meaning. Clients that rely on these notice:',
      columns,
      rows: differencesOf('imported', false),
    },
    {
      title: 'Differences in meaning with the old service as the store:',
      columns,
      rows: differencesOf('over', false, rows.filter(isOnlyOver)),
    },
    {
      title: 'Differences in form only. Clients that parse JSON or XML do not notice:',
      columns,
      rows: differencesOf('imported', true),
    },
    {
      title: 'What these differences mean for clients:',
      columns: ['difference', ...clientNames.map((name) => clients[name])],
      rows: [...names].map((name) => [
        judgements[name].what,
        ...clientNames.map((one) => judgements[name][one]),
      ]),
    },
    {
      title: 'What the old service did not show (another value explains as much):',
      columns: ['choice', 'value', 'others', 'request that shows it', 'needs'],
      rows: unseen.map(({ choice, value, others, request, needs }) => [
        choice,
        ...[show(value), others.map(show).join(', '), shorten(request, 2 * MAX_SHOWN_LENGTH), needs],
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
  return sections.filter((section) => section.rows.length > 0)
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

/** @param file that the dialect was written to; null prints the dialect */
export function printProbe(report: ProbeReport, file: string | null): string {
  const [serve, serveOver, replay] = nextCommandsOf(report, file ?? 'old.json')
  const lines = [
    openingOf(report),
    '',
    ...summaryOf(report),
    '',
    ...sectionsOf(report).flatMap(linesOf),
    ...(report.since?.length === 0 ? ['Nothing changed since the earlier file.', ''] : []),
    headingOf(report),
    '',
    ...(file === null ? ['The dialect (--write FILE writes it to a file):', ''] : []),
    ...(file === null ? JSON.stringify(report.dialect, null, 2).split('\n').concat('') : []),
    'Next, with imported data, or with the old service as the store:',
    `  ${serve}`,
    `  ${serveOver}`,
    'Then compare the two services by an access log:',
    `  ${replay}`,
  ]
  return lines.map((line) => `${visible(line).trimEnd()}\n`).join('')
}

function linesOf({ title, columns, rows }: Section): string[] {
  const lines = rows.map(([first = '', ...cells]) => {
    const texts = cells.flatMap((cell, at) => (cell === '' ? [] : [`${columns[at + 1]}: ${cell}`]))
    return `  ${first}: ${texts.join('; ')}`
  })
  return [title, ...lines, '']
}
