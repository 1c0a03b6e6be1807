// Common and combined format: Apache, nginx, Traefik, HAProxy and Squid can write it. Some servers add fields
// at the end, or write others before the address. And request targets by themselves, one per line.

import {
  addressIn,
  type LoggedRequest,
  type NoRequest,
  quoted,
  requestIn,
  textOf,
  unescaped,
} from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, plainFormat } from './format.ts'

/** The status is `-` if the client left before there was one. */
const logged = new RegExp(`^(.*?)\\[([^[\\]]{1,40})\\] ${quoted} (?:\\d{3}|-) \\S+(?: ${quoted} ${quoted})?`)

function createReader(): LineReader {
  const timeOf = createTimeReader()
  return (line) => {
    const [, before, time, request, referer, userAgent] = logged.exec(line) ?? []
    // Logs that were put together by hand may have targets, too.
    if (before === undefined || time === undefined || request === undefined) return readTarget(line)
    const asked = requestIn(unescaped(request))
    if (asked === null) return 'no request'
    return {
      ...asked,
      address: addressIn(before),
      userAgent: textOf(userAgent),
      referer: textOf(referer),
      time: timeOf(time),
    }
  }
}

/** A method may precede the target, and a protocol follow it. */
function readTarget(line: string): LoggedRequest | NoRequest {
  const [, method = 'GET', target] =
    /^(?:([A-Z]{1,20}) )?((?:\/|\?|https?:\/\/)\S*)(?: HTTP\/\d(?:\.\d)?)?\s*$/.exec(line) ?? []
  if (target === undefined) return 'unreadable'
  return { method, target, address: '', userAgent: '', referer: '', time: null }
}

export const combined = plainFormat('common or combined format', createReader, (line) => logged.test(line))
export const targets = plainFormat('request targets', () => readTarget)
