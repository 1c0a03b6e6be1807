// Common and combined format: Apache, nginx, Traefik, HAProxy and Squid write the same. Some servers add
// fields at the end, or write others before the address.

import { addressIn, type LoggedRequest, quoted, requestIn, textOf, unescaped } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, plainFormat } from './format.ts'
import { readTarget } from './target.ts'

/** A status is missing where the client left before there was one. */
const logged = new RegExp(`^(.*?)\\[([^[\\]]{1,40})\\] ${quoted} (?:\\d{3}|-) \\S+(?: ${quoted} ${quoted})?`)

function createReader(): LineReader {
  const timeOf = createTimeReader()
  return (line) => {
    const [, before, time, request, referer, userAgent] = logged.exec(line) ?? []
    // Logs that were put together by hand may have targets, too.
    if (before === undefined || time === undefined || request === undefined) return readTarget(line)
    const asked = requestIn(unescaped(request))
    if (asked === null) return 'no request'
    const said: LoggedRequest = {
      method: asked.method,
      target: asked.target,
      address: addressIn(before),
      userAgent: textOf(userAgent),
      referer: textOf(referer),
      time: timeOf(time),
    }
    return said
  }
}

export const combined = plainFormat('common or combined format', createReader, (line) => logged.test(line))
