// Reports as commands write them: of a replay, a probe and a census.

import { startGateway } from '../kit/gateway.ts'
import { startOldService } from '../kit/old-service.ts'
import { makeWorkplace } from '../kit/workplace.ts'

export const reportNames = ['replay', 'probe', 'census'] as const
export type ReportName = (typeof reportNames)[number]

export interface Reports {
  /** The address of a report; `proven` is of a replay without differences. */
  readonly fileOf: (name: ReportName | 'proven') => string
  readonly remove: () => Promise<void>
}

const users = '/?Event=ProfileLookup&Users'
const byName = '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users'

/** The requests of clients, and how often a day. */
const sent: readonly (readonly [target: string, times: number])[] = [
  [`${users}=1:2`, 9],
  ['/?Event=AppLookup&Apps=1:3&Format=XML', 4],
  [`${users}=3:99`, 3],
  [`${byName}=s%C3%B8ren:mallory`, 3],
  ['/?Event=AppLookup&Apps=2', 2],
  [`${users}=2:1&Format=XML`, 2],
  ['/?event=ProfileLookup&Users=4', 1],
  [`${users}=5&Format=CSV`, 1],
]
const agents = ['Desktop/2.1', 'Desktop/2.2', 'Updater/5', 'ChatBot/0.3', 'Mozilla/5.0 Firefox/140.0', '']
const DAYS = 40

/** Fewer and fewer clients, over forty days. */
function accessLog(): string {
  const lines: string[] = []
  for (let day = 0; day < DAYS; day++) {
    const date = new Date(Date.UTC(2026, 9, 14 + day, 9, 15)).toUTCString().slice(5, 16)
    const time = `${date.replaceAll(' ', '/')}:09:15:00 +0000`
    const clients = Math.max(3, Math.round(14 - day / 4 + 3 * Math.sin(day)))
    for (let client = 0; client < clients; client++) {
      const start = `203.0.113.${client} - - [${time}] "GET`
      const end = `HTTP/1.1" 200 9 "https://portal.example/" "${agents[client % agents.length]}"`
      for (const [target, times] of sent.slice(0, 1 + ((client + day) % sent.length)))
        for (let at = 0; at < Math.ceil(times / 3); at++) lines.push(`${start} ${target} ${end}`)
    }
  }
  lines.push('203.0.113.1 - - [22/Nov/2026:09:15:00 +0000] "GET /favicon.ico HTTP/1.1" 404 9')
  return `${lines.join('\n')}\n`
}

export async function makeReports(): Promise<Reports> {
  const place = makeWorkplace()
  place.write('access.log', accessLog())
  const habits = { unknown: 'null', serviceName: 'Acme', orderBy: 'id', anyCase: ['parameters'] } as const
  const [old, twin, gateway] = [await startOldService(habits), await startOldService(), await startGateway()]
  const sides = (one: string, other: string) => ['--old', one, '--new', other]
  const quick = ['--rate', '1000']
  const commands: Record<ReportName | 'proven', readonly [status: number, ...args: string[]]> = {
    replay: [1, 'replay', 'access.log', ...sides(old.url, `${gateway.url}/`), '--ignore', 'Rank', ...quick],
    proven: [
      0,
      'replay',
      'access.log',
      ...sides(twin.url, twin.url.replace('127.0.0.1', 'localhost')),
      ...quick,
    ],
    probe: [0, 'probe', old.url, '--users', '1,2', '--apps', '1', ...quick],
    census: [0, 'census', 'access.log'],
  }
  try {
    for (const [name, [expected, ...args]] of Object.entries(commands)) {
      const { status, stderr } = await place.run([...args, '--html', `${name}.html`])
      if (status !== expected) throw new Error(`lookup ${args.join(' ')} has ended with ${status}: ${stderr}`)
    }
  } finally {
    for (const one of [old, twin, gateway]) await one.close()
  }
  return { fileOf: (name) => `file://${place.path}/${name}.html`, remove: place.remove }
}
