// ACCESS_LOG: one JSON line for each request to the legacy interface. `lookup census` and `lookup replay`
// read the file like the log of any web server.

import { constants, fstatSync, openSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import sonicBoom, { type SonicBoom } from 'sonic-boom'
import { ConfigError } from '../config/config.ts'
import type { Observe } from '../observe/events.ts'
import type { HttpResponse } from '../response.ts'
import { messageOf } from '../text.ts'
import { createClientAddress } from './client-address.ts'

/** The published types lack `write(bytes)`, for `contentMode: 'buffer'`. */
declare module 'sonic-boom' {
  interface SonicBoom {
    write(bytes: Buffer): boolean
  }
}

/** Bytes that wait for a slow disk or reader. Further lines are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
/** A write of up to 4 KiB to a pipe is atomic (PIPE_BUF on Linux), so lines of several workers do not mix. */
const MAX_WRITE_BYTES = 4096
/** Milliseconds for the waiting lines when the gateway stops. */
const CLOSE_TIMEOUT_MS = 1_000

/** Writes the line of a request. @param response `null` if the client left before the response */
type LogResponse = (response: HttpResponse | null, status: number, duration: number) => void

export interface AccessLog {
  /** Reads the client address at once: a connection that was closed has none. */
  readonly begin: (request: IncomingMessage) => LogResponse
  /** Opens the file again, since logrotate may have renamed it. */
  readonly reopen: () => void
  /** Writes the waiting lines. */
  readonly close: () => Promise<void>
}

/**
 * @param path a file, or `-` for standard output
 * @throws ConfigError if the file cannot be opened
 */
export function openAccessLog(path: string, trustedProxies: readonly string[], observe: Observe): AccessLog {
  const addressOf = createClientAddress(trustedProxies)
  const fail = (reason: string, lost: number) => observe({ type: 'access-log-failed', path, reason, lost })
  let out = open()
  let isClosed = false

  function open(): SonicBoom {
    const stream = new sonicBoom.SonicBoom({
      fd: path === '-' ? openStandardOutput() : openFile(path),
      contentMode: 'buffer',
      maxLength: MAX_WAITING_BYTES,
      maxWrite: MAX_WRITE_BYTES,
    })
    stream.on('drop', () => fail('earlier lines still wait to be written', 1))
    // sonic-boom retries a failed write with the next line. After a reopen, the old stream gets no next line.
    stream.on('error', (error: Error) => {
      fail(error.message, 0)
      if (stream !== out) stream.destroy()
    })
    return stream
  }

  function begin(request: IncomingMessage): LogResponse {
    const time = new Date().toISOString()
    const address = addressOf(request)
    const { method, url: target, headers } = request
    const { 'user-agent': userAgent = '', referer = '' } = headers
    return (response, status, duration) => {
      // The explorer and a browser's preflight are no lookups. Requests may end after `close`.
      if (response?.about.event === 'page' || method === 'OPTIONS' || isClosed) return
      const bytes = method === 'HEAD' || status === 304 ? 0 : (response?.body.length ?? 0)
      const milliseconds = Math.round(duration * 1000) / 1000
      const entry = {
        time,
        address,
        method,
        target,
        status,
        bytes,
        userAgent,
        referer,
        duration: milliseconds,
      }
      // Latin-1 restores the bytes that the client sent, be they UTF-8 or not.
      out.write(Buffer.from(`${JSON.stringify(entry)}\n`, 'latin1'))
    }
  }

  function reopen(): void {
    if (path === '-') return
    try {
      const before = out
      out = open()
      before.end()
    } catch (error) {
      fail(messageOf(error), 0)
    }
  }

  function close(): Promise<void> {
    isClosed = true
    return new Promise((resolve) => {
      const late = setTimeout(resolve, CLOSE_TIMEOUT_MS)
      out.once('close', () => {
        clearTimeout(late)
        resolve()
      })
      out.end()
    })
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

/** Opens standard output again: O_NONBLOCK would also apply to other processes that share it. */
function openStandardOutput(): number {
  const kind = fstatSync(1)
  if (!kind.isFIFO() && !kind.isCharacterDevice()) return 1
  try {
    return openFile('/dev/stdout')
  } catch {
    return 1
  }
}
