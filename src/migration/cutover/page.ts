// The dial on the admin port: GET shows it, PUT sets it.

import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/config.ts'
import { parseShare } from '../../config/kinds.ts'
import type { Operations } from '../../http/admin.ts'
import { hostnameOf } from '../../http/host.ts'
import type { Dial } from './dial.ts'
import type { Side, Tally } from './tally.ts'

export const PATH = '/cutover'
/** Characters of a query that sets it. */
const MAX_QUERY_LENGTH = 100

const usage = `Set the dial with PUT ${PATH}?share=NUMBER, a number from 0 to 1.\n`
const notAllowed = `Show the dial with GET ${PATH}. ${usage}`
const foreign = 'Cross-site requests are refused. Use curl, or a page of this address.\n'

type Shown = Pick<Config['cutover'], 'by' | 'fallback' | 'guard' | 'guardWindow'>

/** @param settings to be shown beside the dial */
export function createDialPage(dial: Dial, settings: Shown): Operations {
  const show = (): string => `${JSON.stringify(describe(dial, settings), null, 2)}\n`
  const json = { 'Content-Type': 'application/json; charset=utf-8' }

  return {
    path: PATH,
    answer: (request) => {
      if (request.method === 'GET' || request.method === 'HEAD') return [200, show(), json]
      // No form of a web page sends PUT, and scripts of other sites have to ask first, which is never
      // allowed.
      if (request.method !== 'PUT') return [405, notAllowed, { Allow: 'GET, HEAD, PUT' }]
      if (isForeign(request)) return [403, foreign]
      const share = shareIn(request.url ?? '')
      if (share === undefined) return [400, usage]
      dial.set(share, 'admin port')
      return [200, show(), json]
    },
    notes: () => {
      const { guard, set } = dial.state()
      if (guard.state !== 'back') return []
      const what = `${guard.bad} of ${guard.compared} compared responses differed or failed`
      return [
        `cutover: turned back from ${set} to 0 at ${guard.since}: ${what}. ` +
          `Fix the cause, then set it again: PUT ${PATH}?share=${set}`,
      ]
    },
    isStandIn: () => settings.fallback && dial.state().isOldUp,
  }
}

function shareIn(url: string): number | undefined {
  const query = url.slice(PATH.length + 1)
  if (query.length > MAX_QUERY_LENGTH) return undefined
  const parameters = new URLSearchParams(query)
  return parameters.size === 1 ? parseShare(parameters.get('share') ?? '') : undefined
}

/** Whether a browser sends it for a page that did not come from here. */
function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'none' && site !== 'same-origin') return true
  const { origin, host = '' } = headers
  if (origin === undefined) return false
  const from = /^https?:\/\/([^/]{1,255})$/.exec(origin)?.[1]
  return from === undefined || hostnameOf(from) === null || from.toLowerCase() !== host.toLowerCase()
}

/** What there is to say of it. */
export function describe(dial: Dial, { by, fallback, guard: allowed, guardWindow }: Shown) {
  const { share, set, guard, tally, isOldUp } = dial.state()
  return {
    share,
    set,
    by: by.header === null ? 'address' : `header:${by.header}`,
    fallback,
    guard: { state: guard.state, allowed, window: guardWindow, ...comparedOf(guard), since: guard.since },
    old: { up: isOldUp, ...requestsOf(tally, 'old') },
    new: requestsOf(tally, 'new'),
  }
}

function comparedOf({ compared, bad }: { readonly compared: number; readonly bad: number }) {
  return { compared, bad }
}

/** Of the clients of a side: requests that it answered, that the other one did, and that neither could. */
function requestsOf(tally: Tally, side: Side) {
  const other = side === 'old' ? 'new' : 'old'
  const { none, failures, ...answered } = tally[side]
  return { answered: answered[side], fallbacks: answered[other], unanswered: none, failures }
}
