// HTTP over raw sockets, for bytes that no HTTP client would send or show.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RawAnswer {
  readonly status: number
  /** By lower-case name; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Conversation {
  readonly socket: Socket
  readonly write: (bytes: string) => void
  /** The next answer; `head` says that it has no body. Rejects when none comes. */
  readonly answer: (options?: { readonly head?: boolean; readonly within?: number }) => Promise<RawAnswer>
  /** Milliseconds until the other side ended the connection; rejects when it does not. */
  readonly ended: (within: number) => Promise<number>
  readonly close: () => void
}

/** Opens a connection. Bytes are Latin-1 characters both ways. */
async function converse(url: string): Promise<Conversation> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  const started = performance.now()
  let received = ''
  let end: number | null = null
  let wake = () => {}
  const over = () => {
    end ??= performance.now() - started
    wake()
  }
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
    wake()
  })
  // A reset is one way of ending a connection.
  socket.on('end', over).on('close', over).on('error', over)
  await new Promise<void>((resolve) => socket.once('connect', resolve))

  async function until<T>(look: () => T | null, within: number, what: string): Promise<T> {
    const deadline = performance.now() + within
    for (;;) {
      const found = look()
      if (found !== null) return found
      const left = deadline - performance.now()
      if (left <= 0) throw new Error(`no ${what} within ${within} ms, only: ${received.slice(0, 500)}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => resolve(clearTimeout(timer))
      })
    }
  }

  function take(head: boolean): RawAnswer | null {
    const parsed = parseAnswer(received, head, end !== null)
    if (parsed !== null && parsed.answer.status < 200) {
      // A 100 precedes the response.
      received = received.slice(parsed.length)
      return take(head)
    }
    if (parsed === null && end !== null) throw new Error(`ended before an answer: ${received.slice(0, 500)}`)
    if (parsed !== null) received = received.slice(parsed.length)
    return parsed?.answer ?? null
  }

  return {
    socket,
    write: (bytes) => socket.write(bytes, 'latin1'),
    answer: ({ head = false, within = 30_000 } = {}) => until(() => take(head), within, 'answer'),
    ended: (within) => until(() => end, within, 'end'),
    close: () => socket.destroy(),
  }
}

/** A connection that nothing reads yet; the end of the test ends it. Text is Latin-1. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname }).setEncoding('latin1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** Pipelines so much that the gateway slices the bytes of new connections. */
export async function startSlicing(url: string): Promise<void> {
  const socket = await openSocket(url)
  socket.write(requestFor('/nowhere').repeat(30) + requestFor('/nowhere', ['Host: a', 'Connection: close']))
  await readAll(socket)
}

/** Reads until the server closes the connection. */
export async function readAll(socket: Socket): Promise<string> {
  let received = ''
  for await (const text of socket) received += text
  return received
}

/** Opens a connection for as long as `talk` takes. */
export async function talking<T>(url: string, talk: (conversation: Conversation) => Promise<T>): Promise<T> {
  const conversation = await converse(url)
  try {
    return await talk(conversation)
  } finally {
    conversation.close()
  }
}

/** Sends a request as it is and reads its answer. */
export function exchange(url: string, request: string, within = 30_000): Promise<RawAnswer> {
  return talking(url, (conversation) => {
    conversation.write(request)
    return conversation.answer({ head: request.startsWith('HEAD '), within })
  })
}

/**
 * All answers on a connection that has ended, interim ones included; throws where they are not well-formed.
 */
export function readAnswers(received: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = received; rest !== ''; ) {
    const parsed = parseAnswer(rest, false, true)
    if (parsed === null) throw new Error(`cut off: ${rest.slice(0, 500)}`)
    answers.push(parsed.answer)
    rest = rest.slice(parsed.length)
  }
  return answers
}

/** A request without a body, for `exchange`. */
export function requestFor(
  target: string,
  headers: readonly string[] = ['Host: gateway'],
  method = 'GET',
): string {
  return `${method} ${target} HTTP/1.1\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`
}

/** A body in chunks of these sizes, and the rest in one. */
export function inChunks(text: string, sizes: readonly number[], extension = '', trailer = ''): string {
  let chunked = ''
  let rest = text
  for (const size of [...sizes, text.length]) {
    const chunk = rest.slice(0, size)
    rest = rest.slice(size)
    if (chunk !== '') chunked += `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`
  }
  return `${chunked}0\r\n${trailer}\r\n`
}

function parseAnswer(
  text: string,
  head: boolean,
  ended: boolean,
): { answer: RawAnswer; length: number } | null {
  const start = text.indexOf('\r\n\r\n') + 4
  if (start === 3) return null
  const [statusLine = '', ...lines] = text.slice(0, start - 4).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`no HTTP: ${statusLine}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/: ?(.*)/s)
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  const done = (body: string, length: number) => ({ answer: { status, headers, body }, length })
  if (head || status < 200 || status === 204 || status === 304) return done('', start)
  if (headers['transfer-encoding'] === 'chunked') {
    const chunks = parseChunks(text, start)
    return chunks === null ? null : done(chunks.body, chunks.end)
  }
  const declared = headers['content-length']
  if (declared === undefined) return ended ? done(text.slice(start), text.length) : null
  const end = start + Number(declared)
  return text.length < end ? null : done(text.slice(start, end), end)
}

function parseChunks(text: string, start: number): { body: string; end: number } | null {
  let body = ''
  for (let at = start; ; ) {
    const line = text.indexOf('\r\n', at)
    if (line === -1) return null
    const size = Number.parseInt(text.slice(at, line), 16)
    if (text.length < line + 2 + size + 2) return null
    if (size === 0) return { body, end: line + 4 }
    body += text.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
  }
}

/** A lookup of one username of the sample data in 100 spellings: 1 KB, for a response of 20 KB. */
export const manySpellings = (() => {
  const names = Array.from({ length: 100 }, (_, number) =>
    Array.from('newcomer', (letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  return `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${names.join(':')}`
})()
