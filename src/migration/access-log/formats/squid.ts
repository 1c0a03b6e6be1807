// Squid's native format. It has no User-Agent, and, where `strip_query_terms` is on, no queries.

import { createTimeReader } from '../time.ts'
import { type LineReader, plainFormat } from './format.ts'

const logged =
  /^(\d{9,11}\.\d{3}) +-?\d+ (\S+) [A-Z_]{3,40}\/(?:\d{3}|-) -?\d+ (\S+) (\S+) \S+ [A-Z_]{3,40}\//

function createReader(): LineReader {
  const timeOf = createTimeReader()
  return (line) => {
    const [, time = '', address = '', method = '', target = ''] = logged.exec(line) ?? []
    if (time === '') return 'unreadable'
    if (target.startsWith('error:') || !/^[A-Z]{1,20}$/.test(method)) return 'no request'
    return { method, target, address, userAgent: '', referer: '', time: timeOf(time) }
  }
}

export const squid = plainFormat('Squid', createReader)
