// ACCESS_LOG: one JSON line for each request to the legacy interface. `lookup census` and `lookup replay`
// read the file like the log of any web server.

import { constants, fstatSync, openSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { ConfigError } from '../config/config.ts'
import { createLineWriter, type LineWriter, openStandard } from '../line-writer.ts'
import type { Observe } from '../observe/events.ts'
import type { HttpResponse } from '../response.ts'
import { messageOf } from '../text.ts'
import { createClientAddress } from './client-address.ts'

/** Characters that wait for a slow disk or reader. Further lines are dropped. */
const MAX_WAITING = 4 * 1024 * 1024

/** Writes the line of a request. @param response `null` if the client left before the response */
type LogResponse = (response: HttpResponse | null, status: number, duration: number) => void

export interface AccessLog {
  /** Reads the client address at once: a connection that was closed has none. */
  readonly begin: (request: IncomingMessage) => LogResponse
  /** Opens the file again, since logrotate may have renamed it. */
  readonly reopen: () => void
  /** Writes the waiting lines, for up to a second. */
  readonly close: () => void
}

/**
 * @param path a file, or `-` for standard output
 * @throws ConfigError if the file cannot be opened
 */
export function openAccessLog(path: string, trustedProxies: readonly string[], observe: Observe): AccessLog {
  const addressOf = createClientAddress(trustedProxies)
  const fail = (reason: string, lost: number) => observe({ type: 'access-log-failed', path, reason, lost })
  let target = path === '-' ? openStandard(1) : { fd: openFile(path) }
  let out = createWriter()
  let isClosed = false

  function createWriter(): LineWriter {
    return createLineWriter({
      ...target,
      // Latin-1 restores the bytes that the client sent, be they UTF-8 or not.
      encoding: 'latin1',
      maxWaiting: MAX_WAITING,
      onLost: (lines) => fail('earlier lines still wait to be written', lines),
      onError: (error) => fail(messageOf(error), 0),
    })
  }

  function begin(request: IncomingMessage): LogResponse {
    const time = new Date().toISOString()
    const address = addressOf(request)
    const { method, url: target, headers } = request
    const { 'user-agent': userAgent = '', referer = '' } = headers
    return (response, status, milliseconds) => {
      // The explorer and a browser's preflight are no lookups. Requests may end after `close`.
      if (response?.about.event === 'page' || method === 'OPTIONS' || isClosed) return
      const bytes = method === 'HEAD' || status === 304 ? 0 : (response?.body.length ?? 0)
      const duration = Math.round(milliseconds * 1000) / 1000
      const entry = { time, address, method, target, status, bytes, userAgent, referer, duration }
      out.write(`${JSON.stringify(entry)}\n`)
    }
  }

  function reopen(): void {
    // A pipe has no new file, and its waiting lines would block.
    if (path === '-' || !fstatSync(target.fd).isFile()) return
    try {
      target = { fd: openFile(path) }
      out.end()
      out = createWriter()
    } catch (error) {
      fail(messageOf(error), 0)
    }
  }

  function close(): void {
    isClosed = true
    out.end()
  }

  return { begin, reopen, close }
}

/** With O_NONBLOCK, a pipe that nobody reads holds no thread. */
function openFile(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants
  try {
    return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640)
  } catch (error) {
    throw new ConfigError([`Cannot open ACCESS_LOG: ${messageOf(error)}.`])
  }
}
