import { onTestFinished } from 'vitest'
import { type Answering, startAnswering } from '../../support/answering.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'

/** Proxies on this machine name the clients of these tests. */
export const behindProxy = { TRUSTED_PROXIES: 'loopback' }

export async function cutOver(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const gateway = await startGateway({ CUTOVER_URL: url, ...settings })
  onTestFinished(gateway.close)
  return gateway
}

/** An old service whose answers are told from those of the gateway. */
export async function startOld(): Promise<Answering> {
  const old = await startAnswering((_, response) => void response.end('old'))
  onTestFinished(old.close)
  return old
}

/** Which side answers a client, by its headers. */
export async function sideOf(url: string, headers: Readonly<Record<string, string>>): Promise<'old' | 'new'> {
  const body = await (await fetch(`${url}/?Event=AppLookup&Apps=1`, { headers })).text()
  return body === 'old' ? 'old' : 'new'
}

/** The places of those clients that the new side answers. */
export async function newOnes(
  url: string,
  clients: readonly Readonly<Record<string, string>>[],
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const [at, headers] of clients.entries()) if ((await sideOf(url, headers)) === 'new') found.add(at)
  return found
}

export const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ 'X-Forwarded-For': `10.0.${at >> 8}.${at & 255}` }))
