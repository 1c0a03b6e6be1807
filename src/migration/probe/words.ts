// The sentences of a probe's report, the same in a terminal and on a page.

import { capitalised, counted } from '../../text.ts'
import { MAX_REQUESTS } from './ask.ts'
import type { Left, ProbeReport, ReportRow } from './report.ts'

export function openingOf({ url, sent, slowest }: ProbeReport): string {
  return `${url}, after ${counted(sent, 'request')}; the slowest answer took ${Math.round(slowest)} ms.`
}

export function headingOf({ promise }: Pick<ProbeReport, 'promise'>): string {
  if (promise === 'alike') return 'These settings make the gateway answer alike:'
  if (promise === 'own')
    return 'These settings make the gateway answer alike over data of its own, not with the old service as its store:'
  if (promise === 'store')
    return 'These settings make the gateway answer alike with the old service as its store, not over data of its own:'
  return 'These settings come closest; of what is listed above, the gateway answers otherwise:'
}

/** What becomes of the settings that are not among those advised. */
export function othersOf({ advice }: Pick<ProbeReport, 'advice'>): string {
  return Object.keys(advice).length === 0 ? '(none: it is set so already)' : '(all others stay as they are)'
}

export function stateOf({ state, fixedBy }: ReportRow): string {
  if (state === 'fixed') return `fixed by ${fixedBy.join(', ')}`
  return state === 'worse' ? 'differs as advised' : state
}

export function remarksOf(report: ProbeReport): string[] {
  const { codings, chat, asStore, rows, bytes } = report
  const unasked = rows.filter(({ isAskedOverOld }) => !isAskedOverOld).length
  const coded = `It compresses answers (${codings.join(', ')}) though no request asked for that; the gateway does so on request only.`
  const notFound = `The method of the chat platform was not found among ${chat.tried} words. An access log shows it ("lookup census"); name it with --chat-methods.`
  const uncertain = `"${chat.method}" is taken for a method; name an identifier of that platform with --chats to be certain.`
  const bounded = `${unasked} of ${rows.length} behaviours were not looked at, or not with the old service as the store: ${MAX_REQUESTS} requests are the most that are sent.`
  return [
    ...(codings.length === 0 ? [] : [coded]),
    ...(unasked === 0 ? [] : [bounded]),
    ...(chat.method === null ? [notFound] : chat.isCertain ? [] : [uncertain]),
    sayUse('It works as the store (DATABASE_URL)', asStore.lookups),
    sayUse('It can be copied ("lookup import")', asStore.copying),
    `As advised, ${bytes.same} of ${bytes.compared} answers are the same byte for byte.`,
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
      const note = isAskedOverOld && leftOverOld === null ? 'not with the old service as the store' : ''
      return [itemOf(name, left, note)]
    })
  const overOld = rows.flatMap(({ name, left, leftOverOld }) =>
    leftOverOld === null || leftOverOld.line === left?.line ? [] : [itemOf(name, leftOverOld, '')],
  )
  const inBytes = bytes.differences.map(({ name, at, old, gateway }) => {
    const note = `after ${at} bytes`
    return { name, line: `${note}: ${old} – the gateway: ${gateway}`, note, old, gateway }
  })
  return [
    {
      title: 'No setting can reproduce these; clients that rely on them would notice:',
      items: left('meaning'),
    },
    { title: 'With the old service as the store:', items: overOld },
    {
      title: 'Nor these, which are only a matter of form; a client that parses JSON and XML does not notice:',
      items: left('form'),
    },
    { title: 'Byte for byte, answers begin to differ:', items: inBytes },
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
export const nothingLeft = 'With these settings, nothing that was looked at differs.'

export const isAlike = ({ left, leftOverOld, isAskedOverOld }: ReportRow) =>
  isAskedOverOld && left === null && leftOverOld === null
