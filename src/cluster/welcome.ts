// What the operator reads on standard output once the gateway has started.

import type { Config } from '../config/config.ts'
import { MAX_SHADOW_RATE } from '../config/settings.ts'
import type { Listener } from '../http/server.ts'

/**
 * @param admin `null` where there is no admin port
 * @param data the name of the database, and what is wrong with it
 */
export function welcome(
  { graphiql, explorer, shadow, cutover, accessLog }: Config,
  { url }: Pick<Listener, 'url'>,
  admin: Pick<Listener, 'url'> | null,
  data: string,
) {
  const rows = [
    ['Legacy JSON', `${url}/?Event=ProfileLookup&Users=1:2:3`],
    ['Legacy XML', `${url}/?Event=ProfileLookup&Users=1:2:3&Format=XML`],
    [graphiql ? 'GraphiQL' : 'GraphQL', `${url}/graphql`],
    ...(explorer ? [['Explorer', `${url}/`]] : []),
    ...(admin === null
      ? []
      : [
          ['Operations', `${admin.url}/`],
          ['Readiness', `${admin.url}/ready`],
        ]),
    ...shadowRow(shadow),
    ...cutoverRow(cutover),
    ...(accessLog === null ? [] : [['Access log', accessLog === '-' ? 'standard output' : accessLog]]),
    ['Data', data],
  ]
  const table = rows.map(([name = '', value]) => `  ${name.padEnd(12)} ${value}`).join('\n')
  return `Lookup Service is running. Ctrl+C stops it.\n\n${table}\n\n`
}

function shadowRow({ url, sample }: Config['shadow']): [string, string][] {
  if (url === null) return []
  const share = `${Number((sample * 100).toPrecision(6))} % of the answers, ${MAX_SHADOW_RATE} a second at most`
  return [['Compared', `with ${url}: ${sample === 0 ? 'none of the answers, see SHADOW_SAMPLE' : share}`]]
}

function cutoverRow({ url, share }: Config['cutover']): [string, string][] {
  if (url === null) return []
  return [['Passed on', `to ${url}: all legacy clients but ${Number((share * 100).toPrecision(6))} %`]]
}
