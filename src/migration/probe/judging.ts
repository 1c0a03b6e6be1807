// What a difference means, told by the two findings.

import type { Finding, Judge } from './finding.ts'
import type { JudgementName } from './judgements.ts'

/** Where all of an answer is compared: what it says, or whether there is one. */
export function judgeAnswers(usual: JudgementName): Judge {
  return (old, gateway) => {
    const kinds = new Set([old.kind, gateway.kind])
    if (kinds.size === 2 && kinds.has('list') && kinds.has('entries')) return 'emptyList'
    if (kinds.size === 1) return old.kind === 'refusal' ? judgeRefusals(old, gateway) : usual
    return kinds.has('refusal') ? 'refusal' : kinds.has('list') ? usual : 'refusal'
  }
}

/** Behind a status of its own, clients do not read an error: its format is nothing to them. */
const judgeRefusals: Judge = (old, gateway) => {
  const [was, is] = [old, gateway].map(({ text }) => /status \d+/.exec(text)?.[0] ?? '')
  if (was !== is) return 'status'
  return /^status 2/.test(was ?? '') ? 'format' : 'errorWords'
}

export const always =
  (judgement: JudgementName): Judge =>
  () =>
    judgement

/** Letters that one has as escapes survive a client that reads ASCII, or whatever its machine has. */
export const judgeForm: Judge = (old, gateway) => {
  const [was, is] = [old, gateway].map(({ text }) => text.slice(text.lastIndexOf(', ') + 2))
  const shown = was?.startsWith('é as ') && is?.startsWith('é as ')
  return shown && was !== is && [was, is].includes('é as it is') ? 'letters' : 'layout'
}

/** What jQuery's `$.get` and converters by type make of a Content-Type. */
export const judgeMediaType: Judge = (old, gateway) =>
  familyOf(old) === familyOf(gateway) ? 'mediaTypeDetail' : 'mediaType'

function familyOf({ text }: Finding): string {
  const [essence = ''] = text.toLowerCase().split(';')
  const type = essence.trim()
  return /^(?:application|text)\/xml$/.test(type) ? 'xml' : type
}

/** The words of an error are nothing to a client; the name that it looks for is, where the status is 200. */
export const judgeError: Judge = (old, gateway) => {
  const readsBody = /^status 2/.test(old.text) || /^status 2/.test(gateway.text)
  return readsBody && shapeOf(old) !== shapeOf(gateway) ? 'errorShape' : 'errorWords'
}

/** The text without its words: what stands in quotes after a colon, or between tags. */
function shapeOf({ text }: Finding): string {
  return text.replace(/:\s*"[^"]*(?:"|$)/g, ':""').replace(/>[^<]*/g, '>')
}

/** The same entries in another order; or more of them, or fewer. */
export const judgeOrder: Judge = (old, gateway) => {
  const sorted = ({ text }: Finding) => text.split(', ').sort().join()
  return sorted(old) === sorted(gateway) ? 'entryOrder' : judgeAnswers('reading')(old, gateway)
}

export const judgeJsonp: Judge = (old, gateway) =>
  old.text.startsWith('JSONP') ? 'jsonp' : judgeAnswers('reading')(old, gateway)
