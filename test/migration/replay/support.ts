import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ReplayReport } from '../../../src/migration/replay/report.ts'
import { type Answering, startAnswering } from '../../kit/answering.ts'
import { createEagerClock } from '../../kit/clock.ts'
import type { Given } from '../../kit/dialect.ts'
import { startGateway } from '../../kit/gateway.ts'
import { type Switches, startOldService } from '../../kit/old-service.ts'
import type { RunOptions } from '../../kit/run-lookup.ts'
import type { Workplace } from '../../kit/workplace.ts'

export const stateFile = 'lookup-replay.state'

/** The first request to each of the two, before the log is read. */
export const firstRequest = '/?Event=ProfileLookup&Users=1'

export type Respond = (target: string, time: number) => string | readonly [status: number, body: string]

/** A service that responds by the target, and by how often it got the target. */
export async function startService(respond: Respond, headers: Readonly<Record<string, string>> = {}) {
  const times = new Map<string, number>()
  const service = await startAnswering(({ url = '' }, response) => {
    const time = (times.get(url) ?? 0) + 1
    times.set(url, time)
    const said = respond(url, time)
    const [status, body] = typeof said === 'string' ? ([200, said] as const) : said
    response.writeHead(status, headers).end(body)
  })
  onTestFinished(service.close)
  return service
}

export const to = (old: { readonly url: string }, fresh: { readonly url: string }) =>
  ['--old', old.url, '--new', fresh.url] as const

export interface Pair {
  readonly old: Answering
  readonly fresh: Answering
}

export async function startPair(old: Respond, fresh: Respond): Promise<Pair> {
  return { old: await startService(old), fresh: await startService(fresh) }
}
/** Two services that respond to each request with the same entry. */
export const startEmpty = () =>
  startPair(
    () => '{"1":null}',
    () => '{"1":null}',
  )

/** The twin of the old service in PHP, and a gateway over the same rows. */
export async function startBoth(switches: Switches, settings: Given = {}) {
  const old = await startOldService({ xmlDeclaration: false, ...switches })
  onTestFinished(old.close)
  const fresh = await startGateway(settings)
  onTestFinished(fresh.close)
  return { old, fresh }
}

/** `lookup replay access.log`, with both reports, on a clock that waits for nothing. */
export function replayIn(
  place: Workplace,
  { old, fresh }: { readonly old: { readonly url: string }; readonly fresh: { readonly url: string } },
) {
  return async (log: string, args: readonly string[] = [], options: Partial<RunOptions> = {}) => {
    // A log that is written again has another time, and is read again.
    const file = join(place.path, 'access.log')
    if (!existsSync(file) || readFileSync(file, 'utf8') !== log) place.write('access.log', log)
    const reports = ['--json', 'r.json', '--html', 'r.html']
    const command = ['replay', 'access.log', ...to(old, fresh), ...reports, ...args]
    return place.run(command, { clock: createEagerClock(), ...options })
  }
}

export const reportOf = (place: Workplace): ReplayReport =>
  JSON.parse(readFileSync(join(place.path, 'r.json'), 'utf8'))
export const pageOf = (place: Workplace) => readFileSync(join(place.path, 'r.html'), 'utf8')

export const logOf = (count: number, query: string) =>
  Array.from({ length: count }, (_, at) => `/?${query}${at}\n`).join('')
