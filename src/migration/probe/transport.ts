// Compares how the two services treat unusual HTTP, which no access log shows: targets, line ends, versions,
// methods.

import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { OldServiceTarget } from '../../config/old-service.ts'
import {
  type Call,
  type CallOptions,
  createCall,
  NoResponse,
  type OldServiceResponse,
} from '../../stores/old-service/call.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import type { MaskResponse } from './changes.ts'
import type { ProbeResult } from './probe.ts'
import { users } from './requests.ts'
import { describe, responseTo } from './responses.ts'

export interface TransportRow {
  readonly title: string
  readonly old: string
  readonly gateway: string
}

interface TransportSide {
  readonly service: OldServiceTarget
  readonly call: Call
}

/** Sends a request to a side, and describes its response. @param usual its usual response */
type ObserveSide = (side: TransportSide, usual: OldServiceResponse) => Promise<string>

const SAME = 'the usual response'
const NONE = 'no response'
/** Some services crash at a target that they cannot read. */
const DOWN = 'no response, and none to a usual request after it. Check that it is running'

export async function observeTransport(
  { client, known, evidence }: ProbeResult,
  old: OldServiceTarget,
  gateway: OldServiceTarget,
): Promise<TransportRow[]> {
  const query = users(known.users[0] ?? '')
  const usual = responseTo(client.outcomes, query)
  if (usual === null) return []
  const limits = { timeout: CALL_TIMEOUT_MS, connections: 1, keep: false }
  const theirs = { service: old, call: createCall(old, limits) }
  const ours = { service: gateway, call: createCall(gateway, limits) }
  const own = await ours.call(query)
  const observeOld = async (observe: ObserveSide) => {
    await client.reserve()
    return observe(theirs, usual)
  }
  const { again, odd } = observations(query, evidence.mask)
  const rows: TransportRow[] = []
  for (const [title, observe] of odd) {
    const [seen, gateway] = [await observeOld(observe), await observe(ours, own)]
    const isDown = seen.startsWith(NONE) && (await observeOld(again)).startsWith(NONE)
    rows.push({ title, old: isDown ? DOWN : seen, gateway })
    if (isDown) break
  }
  for (const name of ['Cache-Control', 'Access-Control-Allow-Origin']) {
    const valueIn = ({ headers }: OldServiceResponse) => String(headers[name.toLowerCase()] ?? 'none')
    rows.push({ title: `header ${name}`, old: valueIn(usual), gateway: valueIn(own) })
  }
  return rows
}

/** Servers of PHP often serve the same script at `/` and at `/index.php`. */
export async function findOtherPaths({ client, known }: ProbeResult, url: string): Promise<string[]> {
  const query = users(known.users[0] ?? '')
  const { pathname: path } = new URL(url)
  if (!/\/(?:index\.php)?$/.test(path)) return []
  const other = path.endsWith('/') ? `${path}index.php` : path.slice(0, -'index.php'.length)
  const [usual, outcome] = [responseTo(client.outcomes, query), await client.send(query, { path: other })]
  if (usual === null || outcome instanceof NoResponse) return []
  return outcome.body.equals(usual.body) ? [other] : []
}

/** The usual request once more, and odd ones. */
function observations(
  query: string,
  mask: MaskResponse,
): { readonly again: ObserveSide; readonly odd: readonly (readonly [title: string, ObserveSide])[] } {
  const masked = (body: string) => mask({ status: 0, type: '', body }).body
  const bodyOf = ({ body }: OldServiceResponse) => masked(body.toString('latin1'))
  const sent =
    (change: string, options: CallOptions = {}): ObserveSide =>
    async ({ call }, usual) => {
      try {
        const response = await call(query + change, options)
        if (options.method === 'HEAD') return `status ${response.status}, ${response.body.length} bytes`
        if (response.status === usual.status && bodyOf(response) === bodyOf(usual)) return SAME
        return response.status < 400 ? `status ${response.status}, another response` : describe(response)
      } catch (error) {
        if (error instanceof NoResponse) return describe(error)
        throw error
      }
    }
  const raw =
    (write: (target: string, headers: readonly string[]) => string): ObserveSide =>
    async ({ service }, usual) => {
      const { pathname, host } = new URL(service.url)
      const headers = Object.entries({ ...service.headers, Connection: 'close' }).map(
        ([name, value]) => `${name}: ${value}`,
      )
      const text = await exchange(service.url, write(`${pathname}?${query}`, [`Host: ${host}`, ...headers]))
      if (masked(text).includes(bodyOf(usual).slice(0, 200))) return SAME
      const status = /^HTTP\/\d\.\d (\d{3})/.exec(text)?.[1]
      return status === undefined ? NONE : `status ${status}, another response`
    }
  const request = (target: string, headers: readonly string[], lineEnd = '\r\n', version = '1.1') =>
    [`GET ${target} HTTP/${version}`, ...headers, '', ''].join(lineEnd)
  const odd = [
    ['a fragment in the target', raw((target, headers) => request(`${target}#top`, headers))],
    ['a path that begins with //', raw((target, headers) => request(`/${target}`, headers))],
    ['line ends without carriage returns', raw((target, headers) => request(target, headers, '\n'))],
    ['HTTP/1.0 without Host', raw((target, [, ...headers]) => request(target, headers, '\r\n', '1.0'))],
    ['HEAD', sent('', { method: 'HEAD' })],
    ['POST with the query as a form', sent('', { method: 'POST' })],
    ['broken percent-encoding', sent(':%ZZ')],
    ['invalid UTF-8', sent(':%FF')],
    ['a NUL character', sent(':%00')],
  ] as const
  return { again: sent(''), odd }
}

/** Characters of a response. */
const MAX_LENGTH = 1024 * 1024

/** Sends bytes, and reads until the service closes the connection. */
function exchange(url: string, request: string): Promise<string> {
  const { protocol, hostname, port } = new URL(url)
  const isSecure = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const at = { host, port: Number(port) || (isSecure ? 443 : 80) }
  return new Promise((resolve) => {
    const socket = isSecure ? connectTls({ ...at, servername: host }) : connect(at)
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
    socket.write(request, 'latin1')
  })
}
