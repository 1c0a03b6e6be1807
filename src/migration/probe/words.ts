// The sentences of a probe's report, the same in a terminal and on a page.

import { capitalised, counted } from '../../text.ts'
import { MAX_REQUESTS } from './ask.ts'
import type { Left, ProbeReport, ReportRow } from './report.ts'

export function openingOf({ url, sent, slowest }: ProbeReport): string {
  return `Old service: ${url}. ${counted(sent, 'request')} sent; the slowest response took ${Math.round(slowest)} ms.`
}

export function headingOf({ promise }: Pick<ProbeReport, 'promise'>): string {
  if (promise === 'alike') return 'With these settings, the gateway responds like the old service:'
  if (promise === 'own')
    return 'With these settings and imported data, the gateway responds like the old service. With the old service as the store, it does not:'
  if (promise === 'store')
    return 'With these settings and the old service as the store, the gateway responds like the old service. With imported data, it does not:'
  return 'These settings come closest. The differences listed above remain:'
}

/** What becomes of the settings that are not among those advised. */
export function othersOf({ advice }: Pick<ProbeReport, 'advice'>): string {
  return Object.keys(advice).length === 0
    ? '(none: the gateway is already set so)'
    : '(leave all other settings as they are)'
}

export function stateOf({ state, fixedBy }: ReportRow): string {
  if (state === 'fixed') return `fixed by ${fixedBy.join(', ')}`
  if (state === 'worse') return 'differs with these settings'
  return state === 'not asked' ? 'not tested' : state
}

export function remarksOf(report: ProbeReport): string[] {
  const { codings, chat, asStore, rows, bytes } = report
  const unasked = rows.filter(({ isAskedOverOld }) => !isAskedOverOld).length
  const coded = `The old service compresses responses (${codings.join(', ')}) although no request asks for it. The gateway compresses only on request.`
  const notFound = `None of ${chat.tried} words is the method of the chat platform. Find it in an access log ("lookup census"), and pass it with --chat-methods.`
  const uncertain = `"${chat.method}" seems to be the method of the chat platform. To make sure, pass one of its identifiers with --chats.`
  const bounded = `${unasked} of ${rows.length} behaviours were not tested, or not with the old service as the store: a probe sends at most ${MAX_REQUESTS} requests.`
  return [
    ...(codings.length === 0 ? [] : [coded]),
    ...(unasked === 0 ? [] : [bounded]),
    ...(chat.method === null ? [notFound] : chat.isCertain ? [] : [uncertain]),
    sayUse('Works as the store (DATABASE_URL)', asStore.lookups),
    sayUse('Can be copied ("lookup import")', asStore.copying),
    `With these settings, ${bytes.same} of ${bytes.compared} responses are identical byte for byte.`,
  ]
}

function sayUse(use: string, fault: string | null): string {
  return fault === null ? `${use}: yes.` : `${use}: no. ${capitalised(fault)}.`
}

export interface Item {
  readonly name: string
  /** All of the difference in a line, and what is to be said of it. */
  readonly line: string
  readonly note: string
  /** The same in two texts. */
  readonly old: string
  readonly gateway: string
}

interface Section {
  readonly title: string
  readonly items: readonly Item[]
}

/** What is left, by what it means; sections without an item are left out. */
export function sectionsOf({ rows, bytes }: ProbeReport): Section[] {
  const left = (about: 'meaning' | 'form') =>
    rows.flatMap(({ name, left, leftOverOld, isAskedOverOld }): Item[] => {
      if (left?.about !== about) return []
      const note = isAskedOverOld && leftOverOld === null ? 'only with imported data' : ''
      return [itemOf(name, left, note)]
    })
  const overOld = rows.flatMap(({ name, left, leftOverOld }) =>
    leftOverOld === null || leftOverOld.line === left?.line ? [] : [itemOf(name, leftOverOld, '')],
  )
  const inBytes = bytes.differences.map(({ name, at, old, gateway }) => {
    const note = `after byte ${at}`
    return { name, line: `${note}, old service: ${old}; gateway: ${gateway}`, note, old, gateway }
  })
  return [
    {
      title: 'Differences in meaning, which no setting removes. Clients that rely on these notice:',
      items: left('meaning'),
    },
    { title: 'Differences with the old service as the store:', items: overOld },
    {
      title:
        'Differences in form only, which no setting removes. Clients that parse JSON or XML do not notice:',
      items: left('form'),
    },
    { title: 'First difference in bytes:', items: inBytes },
  ].filter(({ items }) => items.length > 0)
}

function itemOf(name: string, { line, old, gateway }: Left, note: string): Item {
  return { name, line: note === '' ? line : `${line} (${note})`, note, old, gateway }
}

export const clients = {
  javascript: 'JavaScript',
  php: 'PHP',
  java: 'Java',
  csharp: 'C#',
} as const
export const clientNames = ['javascript', 'php', 'java', 'csharp'] as const

export const meaningsTitle = 'What these differences mean for clients:'
export const nothingLeft = 'With these settings, no tested behaviour differs.'

export const isAlike = ({ left, leftOverOld, isAskedOverOld }: ReportRow) =>
  isAskedOverOld && left === null && leftOverOld === null
