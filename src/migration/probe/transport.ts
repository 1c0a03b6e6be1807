// Compares how the two services treat unusual HTTP, which no access log shows: targets, line ends, versions,
// methods. The requests are written to a socket byte for byte, because Node refuses to send most of them.

import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import about from '../../../package.json' with { type: 'json' }
import type { OldServiceTarget } from '../../config/old-service.ts'
import { OWN_AGENT } from '../../stores/old-service/call.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import type { MaskResponse } from './changes.ts'
import { withinBudget } from './client.ts'
import type { ProbeResult } from './probe.ts'
import { users } from './requests.ts'

interface TransportRow {
  readonly title: string
  readonly old: string
  readonly gateway: string
}

/** Writes a request with a target and with headers, of which the first one is Host. */
type WriteRequest = (target: string, headers: readonly string[]) => string

const request = (line: string, headers: readonly string[]) => [line, ...headers, '', ''].join('\r\n')
const usual: WriteRequest = (target, headers) => request(`GET ${target} HTTP/1.1`, headers)

const unusual: Readonly<Record<string, WriteRequest>> = {
  'a fragment in the target': (target, headers) => usual(`${target}#top`, headers),
  'a path that begins with //': (target, headers) => usual(`/${target}`, headers),
  'line ends without carriage returns': (...all) => usual(...all).replaceAll('\r\n', '\n'),
  'HTTP/1.0 without Host': (target, [, ...headers]) => request(`GET ${target} HTTP/1.0`, headers),
  HEAD: (target, headers) => request(`HEAD ${target} HTTP/1.1`, headers),
  'POST with the query as a form': (target, headers) => {
    const [path = '', query = ''] = target.split('?')
    const form = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${query.length}`]
    return request(`POST ${path} HTTP/1.1`, [...headers, ...form]) + query
  },
  'broken percent-encoding': (target, headers) => usual(`${target}:%ZZ`, headers),
  'invalid UTF-8': (target, headers) => usual(`${target}:%FF`, headers),
  'a NUL character': (target, headers) => usual(`${target}:%00`, headers),
}

const SAME = 'the usual response'
const NONE = 'no response'
/** Some services crash at a target that they cannot read. */
const DOWN = `${NONE}, and none to a usual request after it. Check that it is running`

/** @returns the rows until the budget ends, and the paths at which the old service has the usual response */
export async function observeTransport(
  { client, known, evidence: { mask } }: ProbeResult,
  old: OldServiceTarget,
  gateway: OldServiceTarget,
): Promise<{ readonly rows: readonly TransportRow[]; readonly paths: readonly string[] }> {
  const query = users(known.users[0] ?? '')
  const { pathname } = new URL(old.url)
  const rows: TransportRow[] = []
  const paths = [pathname]
  await withinBudget(async () => {
    const theirs = await openSide(old, query, mask, client.reserve)
    if (!theirs.isUp) return
    const ours = await openSide(gateway, query, mask)
    // Servers of PHP often serve the same script at `/` and at `/index.php`.
    const [folder = '/'] = /^.*\//.exec(pathname) ?? []
    const other = pathname === folder ? `${folder}index.php` : folder
    const isScript = pathname === folder || pathname === `${folder}index.php`
    if (isScript && (await theirs.observe(usual, other)) === SAME) paths.push(other)
    for (const name of ['Cache-Control', 'Access-Control-Allow-Origin'])
      rows.push({ title: `header ${name}`, old: theirs.header(name), gateway: ours.header(name) })
    for (const [title, write] of Object.entries(unusual)) {
      const [seen, own] = [await theirs.observe(write), await ours.observe(write)]
      const isDown = seen === NONE && (await theirs.observe(usual)) === NONE
      rows.push({ title, old: isDown ? DOWN : seen, gateway: own })
      if (isDown) break
    }
  }, undefined)
  return { rows, paths }
}

async function openSide(
  { url, headers: given }: OldServiceTarget,
  query: string,
  mask: MaskResponse,
  reserve = async () => {},
) {
  const { host, pathname } = new URL(url)
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value])
  const all = {
    host,
    'user-agent': OWN_AGENT + about.version,
    ...Object.fromEntries(named),
    connection: 'close',
  }
  const headers = Object.entries(all).map(([name, value]) => `${name}: ${value}`)

  async function send(write: WriteRequest, path: string) {
    await reserve()
    const text = await exchange(url, all.host, write(`${path}?${query}`, headers))
    const [, head = '', rest = ''] = /^(.*?)\r?\n\r?\n(.*)$/s.exec(text) ?? []
    // HTTP/1.1 sends chunks, and the length of the first one is no part of the body.
    const body = mask({ status: 0, type: '', body: rest.replace(/^[\da-f]+\r\n/i, '') }).body
    return { head, status: /^HTTP\/\d\.\d (\d{3})/.exec(head)?.[1], start: body.slice(0, MAX_COMPARED) }
  }

  const before = await send(usual, pathname)
  return {
    isUp: before.status !== undefined,
    async observe(write: WriteRequest, path = pathname): Promise<string> {
      const { status, start } = await send(write, path)
      if (status === undefined) return NONE
      if (status === before.status && start === before.start) return SAME
      return `status ${status}, ${start === '' ? 'no body' : 'another response'}`
    },
    header: (name: string) => new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(before.head)?.[1] ?? 'none',
  }
}

/** Characters of a body that are compared, and of a response that are read. */
const MAX_COMPARED = 200
const MAX_LENGTH = 1024 * 1024

/**
 * Sends bytes, and reads until the service closes the connection.
 * @param name the header Host, for which the certificate must be valid
 */
function exchange(url: string, name: string, bytes: string): Promise<string> {
  const { protocol, hostname, port } = new URL(url)
  const isSecure = protocol === 'https:'
  const at = { host: withoutBrackets(hostname), port: Number(port) || (isSecure ? 443 : 80) }
  const servername = withoutBrackets(name.replace(/:\d+$/, ''))
  return new Promise((resolve) => {
    const socket = isSecure
      ? connectTls({ ...at, servername: isIP(servername) === 0 ? servername : '' })
      : connect(at)
    let text = ''
    const end = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(CALL_TIMEOUT_MS, end)
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1')
      if (text.length > MAX_LENGTH) end()
    })
    socket.on('error', end)
    socket.on('close', end)
    socket.write(bytes, 'latin1')
  })
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '')
