// Reports as commands write them: of a replay, a probe and a census, over real services.

import { type Gateway, startGateway } from '../kit/gateway.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { type OldService, startOldService } from '../old-service/start.ts'

export const reportNames = ['replay', 'probe', 'census'] as const
export type ReportName = (typeof reportNames)[number]

export interface Reports {
  readonly fileOf: (name: ReportName | 'proven') => string
  readonly remove: () => Promise<void>
}

const users = '/?Event=ProfileLookup&Users'
const byName = '/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users'

/** What clients ask for, and how often a day. */
const asked: readonly (readonly [target: string, times: number])[] = [
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
    const date = new Date(Date.UTC(2026, 9, 14 + day, 9, 15))
    const time = `${date.toUTCString().slice(5, 16).replaceAll(' ', '/')}:09:15:00 +0000`
    const clients = Math.max(3, Math.round(14 - day / 4 + 3 * Math.sin(day)))
    for (let client = 0; client < clients; client++)
      for (const [target, times] of asked.slice(0, 1 + ((client + day) % asked.length)))
        for (let at = 0; at < Math.ceil(times / 3); at++)
          lines.push(
            `203.0.113.${client} - - [${time}] "GET ${target} HTTP/1.1" 200 9 "https://portal.example/" "${agents[client % agents.length]}"\n`,
          )
  }
  return [...lines, '203.0.113.1 - - [22/Nov/2026:09:15:00 +0000] "GET /favicon.ico HTTP/1.1" 404 9\n'].join(
    '',
  )
}

export async function makeReports(): Promise<Reports> {
  const place = makeWorkplace()
  const old = await startOldService({
    unknown: 'null',
    serviceName: 'Acme',
    orderBy: 'id',
    anyCase: ['parameters'],
  })
  const gateway = await startGateway()
  const twin = await startOldService()
  try {
    await writeReports(place, old, gateway, twin)
  } finally {
    for (const one of [old, twin, gateway]) await one.close()
  }
  return { fileOf: (name) => `file://${place.path}/${name}.html`, remove: place.remove }
}

async function writeReports(
  place: Workplace,
  old: OldService,
  gateway: Gateway,
  twin: OldService,
): Promise<void> {
  place.write('access.log', accessLog())
  const quick = ['--rate', '1000']
  const commands: readonly (readonly [name: string, status: number, ...args: string[]])[] = [
    [
      'replay',
      1,
      'replay',
      'access.log',
      '--old',
      old.url,
      '--new',
      `${gateway.url}/`,
      '--ignore',
      'Rank',
      ...quick,
    ],
    ['proven', 0, 'replay', 'access.log', '--old', twin.url, '--new', twin.url, ...quick],
    ['probe', 0, 'probe', old.url, '--users', '1,2', '--apps', '1', ...quick],
    ['census', 0, 'census', 'access.log'],
  ]
  for (const [name, expected, ...args] of commands) {
    const { status, stderr } = await place.run([...args, '--html', `${name}.html`])
    if (status !== expected) throw new Error(`lookup ${args.join(' ')} has ended with ${status}: ${stderr}`)
  }
}
