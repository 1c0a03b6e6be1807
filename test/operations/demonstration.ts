// A gateway with something to show in each section of the page for operators.

import { onTestFinished } from 'vitest'
import { originOf, type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { look, sectionOf } from './look.ts'

/** It runs until the test ends. @param old the address of an old service */
export async function startDemonstration(
  old: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const place = makeWorkplace()
  onTestFinished(() => place.remove())
  const serving = await serve(
    {
      cwd: place.path,
      timeout: 600_000,
      env: {
        ...{ SHADOW_URL: old, SHADOW_SAMPLE: '1', LOG_LEVEL: 'silent' },
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
