// HAProxy's HTTP log format (`option httplog`, `option httpslog`), with what syslog writes before it.

import { addressIn, requestIn } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, plainFormat } from './format.ts'

/** It has no zone: that of the server, which should be that of the reader. */
const accepted = / \[(\d\d\/[A-Za-z]{3}\/\d{4}:\d\d:\d\d:\d\d\.\d{3})\] /
/** Frontend, server, times, status, bytes, cookies, state, connections, queues, captured headers, request. */
const rest = /^\S+ \S+ [-+\d/]+ (?:-?\d+) [-+\d]+ \S+ \S+ \S{4} [+\d/]+ [\d/]+ ((?:\{[^}]*\} ){0,2})"([^"]*)"/

function createReader(): LineReader {
  const timeOf = createTimeReader()
  return (line) => {
    const found = accepted.exec(line)
    const [all = '', time = ''] = found ?? []
    const [, captured = '', request] =
      found === null ? [] : (rest.exec(line.slice(found.index + all.length)) ?? [])
    if (found === null || request === undefined) return 'unreadable'
    const asked = requestIn(unescaped(request))
    if (asked === null) return 'no request'
    const client = line.slice(line.lastIndexOf(' ', found.index - 1) + 1, found.index)
    return { ...asked, address: addressIn(client), ...headersIn(captured), time: timeOf(time) }
  }
}

/** `#22` is a quote. */
function unescaped(text: string): string {
  if (!text.includes('#')) return text
  return text.replace(/#([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * Which headers are captured is known to HAProxy's configuration only. A URL is taken for the Referer, and a
 * product with its version for the User-Agent.
 */
function headersIn(captured: string): { readonly userAgent: string; readonly referer: string } {
  const texts = captured === '' ? [] : captured.replace(/[{}]/g, '|').split('|').map(unescaped)
  return {
    userAgent: texts.find((text) => /^[^\s/:,;=]{1,80}\/\S/.test(text)) ?? '',
    referer: texts.find((text) => /^https?:\/\//.test(text)) ?? '',
  }
}

export const haproxy = plainFormat('HAProxy', createReader)
