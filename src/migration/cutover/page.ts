// The dial on the admin port: GET shows it, PUT sets it.

import type { IncomingMessage } from 'node:http'
import type { Operations } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { shareEvents } from '../../config/cutover.ts'
import { parseShare } from '../../config/kinds.ts'
import { type CountsOf, sumOf } from '../../observe/counts.ts'
import type { Dial } from './dial.ts'
import { MIN_CLIENTS } from './guard.ts'
import type { Side } from './side.ts'

export const PATH = '/cutover'
/** Characters of a query that sets the dial. */
const MAX_QUERY_LENGTH = 100

const usage = `Set the dial with PUT ${PATH}?share=NUMBER, a number from 0 to 1, and &event=NAME for one of ${shareEvents.join(', ')}.\n`
const notAllowed = `Show the dial with GET ${PATH}. ${usage}`
const foreign = 'Cross-site requests are refused. Use curl, or a page of this address.\n'

/** @param settings are shown beside the dial */
export function createDialPage(
  dial: Dial,
  settings: () => Config['cutover'],
): Omit<Operations, 'renew' | 'section'> {
  async function show(counts: () => Promise<CountsOf>) {
    const text = JSON.stringify(describe(dial, settings(), await counts()), null, 2)
    return [200, `${text}\n`, { 'Content-Type': 'application/json; charset=utf-8' }] as const
  }

  return {
    path: PATH,
    respond: (request, counts) => {
      if (request.method === 'GET' || request.method === 'HEAD') return show(counts)
      // No form of a web page sends PUT. Scripts of other sites need a permission that no site gets.
      if (request.method !== 'PUT') return [405, notAllowed, { Allow: 'GET, HEAD, PUT' }]
      if (isForeign(request)) return [403, foreign]
      const command = readCommand(request.url ?? '')
      if (command === null) return [400, usage]
      dial.set(command.share, command.event)
      return show(counts)
    },
    notes: () => {
      const { back } = dial.state()
      const problem = dial.fileProblem()
      const file = problem === null ? [] : [`cutover: CUTOVER_STATE cannot be used: ${problem}`]
      if (back === null) return file
      const { from, event, since, bad, compared, badClients, clients } = back
      const parts = Object.entries(from.events)
      const shares = [from.share, ...parts.map(([event, part]) => `${event}=${part}`)].join(', ')
      const commands = [`${from.share}`, ...parts.map(([event, part]) => `${part}&event=${event}`)]
      return [
        `cutover: turned back from ${shares} to 0 at ${since}: ${bad} of ${compared} compared responses to ` +
          `${event} differed or failed, for ${badClients} of ${clients} clients. Fix the cause, then set it ` +
          `again: ${commands.map((command) => `PUT ${PATH}?share=${command}`).join(', then ')}`,
        ...file,
      ]
    },
    isStandIn: () => settings().fallback && dial.isOldUp(),
  }
}

/** @returns null if the query is not one that sets the dial */
function readCommand(url: string): { readonly share: number; readonly event: string | null } | null {
  const query = url.slice(PATH.length + 1)
  const parameters = new URLSearchParams(query.length > MAX_QUERY_LENGTH ? '' : query)
  const event = parameters.get('event')
  const share = parseShare(parameters.get('share') ?? '')
  const isKnown = event === null || shareEvents.includes(event)
  const isWhole = parameters.size === (event === null ? 1 : 2)
  return share !== undefined && isKnown && isWhole ? { share, event } : null
}

/** Whether a browser sends the request for a page of another site. */
function isForeign({ headers }: IncomingMessage): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers
  if (site !== 'none' && site !== 'same-origin') return true
  return origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') !== host.toLowerCase()
}

/** The dial, the guard, and the requests of each side. */
export function describe(
  dial: Dial,
  { by, fallback, guard: allowed, guardWindow, mirror, pins }: Config['cutover'],
  counts: CountsOf,
) {
  const { share, events, back } = dial.state()
  const { compared, bad, clients, badClients } = dial.findings()
  return {
    share,
    events,
    set: back?.from.share ?? share,
    by: by.header === null ? 'address' : `header:${by.header}`,
    pins: pins.length,
    fallback,
    mirror,
    guard: {
      state: allowed === 'off' ? 'off' : back === null ? 'watching' : 'back',
      ...{ allowed, window: guardWindow, compared, bad, clients, badClients },
      needs: MIN_CLIENTS,
      event: back?.event ?? null,
      since: back?.since ?? null,
    },
    old: { up: dial.isOldUp(), ...requestsOf(counts, 'old') },
    new: requestsOf(counts, 'new'),
  } as const
}

/** Requests of the clients of a side: answered by that side, by the other side, or by none. */
function requestsOf(counts: CountsOf, side: Side) {
  const own = (metric: string) => counts(metric).filter(({ labels }) => labels.side === side)
  const requests = own('lookup_cutover_requests_total')
  const by = (answeredBy: Side | 'none') =>
    sumOf(requests.filter(({ labels }) => labels.answered_by === answeredBy))
  return {
    answered: by(side),
    fallbacks: by(side === 'old' ? 'new' : 'old'),
    unanswered: by('none'),
    failures: sumOf(own('lookup_cutover_failures_total')),
  }
}
