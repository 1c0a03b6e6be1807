// A gateway with something to show in each section of the page for operators.

import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { filledFile } from '../kit/gateway.ts'
import { type Serving, serve } from '../kit/serving.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { look, sectionOf } from './look.ts'

const operation = encodeURIComponent('query Members { users(values: ["1"]) { username } }')
const targets = [
  ...['/?Event=ProfileLookup&Users=1:2:3', '/?Event=ProfileLookup&Users=4&Format=XML'],
  ...['/?Event=AppLookup&Apps=1', '/?Event=ProfileLookup&Users=1:x', '/?Event=Nothing'],
  `/graphql?query=${operation}`,
]
const agents = ['PortalWidget/2.1', 'forum-bot/1.0', 'curl/8.5.0']

/** Sends one request of each kind per client. */
export async function askAll({ url }: Serving): Promise<void> {
  for (const target of targets)
    for (const agent of agents)
      await (await fetch(url + target, { headers: { 'User-Agent': agent } })).arrayBuffer()
}

/** Ends with the test. @param old the address of an old service */
export async function startDemonstration(old: string): Promise<Serving> {
  const place = makeWorkplace()
  onTestFinished(() => place.remove())
  await filledFile(join(place.path, 'lookup.db'))
  const env = {
    ...{
      DATABASE_URL: 'sqlite:lookup.db',
      SHADOW_URL: old,
      SHADOW_SAMPLE: '1',
      LOG_LEVEL: 'silent',
      'missing.json': 'null',
      'missing.xml': '<Data Value="{value}"/>',
    },
    ...{ CUTOVER_URL: old, CUTOVER_SHARE: '0.5', CUTOVER_BY: 'header:User-Agent', CUTOVER_GUARD: 'off' },
  }
  const serving = await serve({ cwd: place.path, timeout: 600_000, env }, '--workers', '2')
  await askAll(serving)
  const isCompared = async () =>
    /\d+ of \d+ compared/.test(sectionOf((await look(serving)).body, 'Compared with the old service'))
  while (!(await isCompared())) await new Promise((resolve) => setTimeout(resolve, 200))
  return serving
}
