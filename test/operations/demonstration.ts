// A gateway with something to show in each section of the page for operators.

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { writeVisits } from '../../src/migration/census/live/write.ts'
import { originOf, type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { look, sectionOf } from './look.ts'

const DAY_MS = 86_400_000

/** It runs until the test ends. @param old the address of an old service */
export async function startDemonstration(
  old: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const place = makeWorkplace()
  onTestFinished(() => place.remove())
  const file = join(place.path, 'legacy.census')
  writeCensus(file)
  const serving = await serve(
    {
      cwd: place.path,
      timeout: 600_000,
      env: {
        ...{ SHADOW_URL: old, SHADOW_SAMPLE: '1', CENSUS_FILE: file, LOG_LEVEL: 'silent' },
        ...{ CUTOVER_URL: old, CUTOVER_SHARE: '0.5', CUTOVER_BY: 'header:User-Agent', CUTOVER_GUARD: 'off' },
        ...{ LEGACY_UNKNOWN: 'null', LEGACY_SERVICE_NAME: 'Acme' },
        ...env,
      },
    },
    '--workers',
    '2',
  )
  await askAll(serving)
  return serving
}

/** Half a year in which ever fewer clients call. */
function writeCensus(file: string): void {
  const today = Math.floor(Date.now() / DAY_MS)
  const agents = ['PortalWidget/2.1', 'forum-bot/1.0', 'curl/8.5.0', 'Mozilla/5.0 Firefox/128.0', '']
  const days = Array.from({ length: 120 }, (_, at) => today - 119 + at)
  const visits = days.flatMap((day, at) =>
    Array.from({ length: Math.round(60 - at / 2.5 + 6 * Math.sin(at)) }, (_, client) => ({
      ...{ key: '', address: `10.0.0.${client}`, referer: '' },
      ...{ agent: agents[client % agents.length] ?? '', first: day * DAY_MS, last: day * DAY_MS },
      asked: new Map([
        [
          '',
          {
            ...{ event: 'ProfileLookup', method: 'id', format: 'JSON', problem: '' },
            ...{ day, requests: 20 + ((client * 7 + at) % 40) },
          },
        ],
      ]),
    })),
  )
  writeVisits({ file, keyFile: null }, visits)
}

const operation = (name: string) => encodeURIComponent(`query ${name} { users(values: ["1"]) { username } }`)
export const targets = [
  ...['/?Event=ProfileLookup&Users=1:2:3', '/?Event=ProfileLookup&Users=4&Format=XML'],
  ...['/?Event=AppLookup&Apps=1', '/?Event=ProfileLookup&Users=1:x', '/?Event=Nothing'],
  ...[`/graphql?query=${operation('Members')}`, `/graphql?query=${operation('Ranking')}`],
]

async function askAll(serving: Serving): Promise<void> {
  const url = originOf(serving.shown['Legacy JSON'])
  for (const target of targets)
    for (const agent of ['PortalWidget/2.1', 'forum-bot/1.0', 'curl/8.5.0']) {
      const headers = { 'User-Agent': agent, 'apollographql-client-name': 'web' }
      await (await fetch(url + target, { headers })).arrayBuffer()
    }
  const isThere = async () =>
    sectionOf((await look(serving)).body, 'Compared with the old service').includes('What differs')
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 200))
}
