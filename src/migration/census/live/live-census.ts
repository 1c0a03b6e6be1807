// A gateway's own census: what is asked is counted in memory, and added to a file once a minute. No client
// waits for any of it.

import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClientAddress, MAX_FORWARDED_LENGTH } from '../../../gateway/http/client-address.ts'
import type { LegacyHandler, Watcher } from '../../../gateway/legacy/handler.ts'
import type { Observe, Subject } from '../../../observation.ts'
import { MAX_REFERER_LENGTH } from '../origin.ts'
import { MAX_AGENT_LENGTH } from '../user-agent.ts'
import { createPublicAsked, type Named } from './public-asked.ts'
import type { Visitor, WriterPlace } from './visit.ts'
import { Visits } from './visits.ts'
import { createWriter } from './writer.ts'

/** Milliseconds between two writings; and from the first visitor to the first, which shows whether it works. */
const WRITE_INTERVAL_MS = 60_000
const FIRST_WRITE_MS = 1_000
/**
 * With so many visitors, the end of the interval is not waited for; these milliseconds are, so that writing
 * takes a small part of a processor, however many come.
 */
const MANY_VISITORS = 5_000
const MIN_INTERVAL_MS = 5_000
/** Milliseconds to write until the operator is told; and those that the end of the process waits. */
const SLOW_WRITE_MS = 30_000
const LAST_WRITE_MS = 2_000

interface LiveCensusOptions extends WriterPlace {
  readonly trustedProxies: readonly string[]
  readonly events: readonly Named[]
  readonly observe: Observe
}

/** Sees a request that another service has answered. */
export type See = (request: IncomingMessage, query: string, about: Subject) => void

export interface LiveCensus extends Watcher {
  readonly see: See
}

export function createLiveCensus(options: LiveCensusOptions): LiveCensus {
  const { trustedProxies, events, observe, file, keyFile } = options
  const visitorOf = createVisitorReader(trustedProxies)
  const askedOf = createPublicAsked(events)
  const writer = createWriter({ file, keyFile })
  const visits = new Visits()
  let writing: Promise<void> | null = null
  let isFailing = false
  let lastWrite = 0

  let soon: NodeJS.Timeout | undefined
  const interval = setInterval(flush, WRITE_INTERVAL_MS).unref()

  function count(visitor: Visitor, query: string, about: Subject): void {
    const now = Date.now()
    visits.add(visitor, askedOf(query, about), now)
    soon ??= setTimeout(flush, FIRST_WRITE_MS).unref()
    if (visits.size >= MANY_VISITORS && now - lastWrite >= MIN_INTERVAL_MS && !isFailing) flush()
  }

  function flush(): void {
    if (writing === null && visits.size > 0)
      writing = write().finally(() => {
        writing = null
      })
  }

  async function write(): Promise<void> {
    const taken = visits.take()
    lastWrite = Date.now()
    const late = setTimeout(
      () => fail(`writing takes longer than ${SLOW_WRITE_MS / 1000} s`),
      SLOW_WRITE_MS,
    ).unref()
    const problem = await writer.write(taken)
    clearTimeout(late)
    if (problem !== null) {
      visits.putBack(taken)
      fail(problem)
    } else if (isFailing) {
      isFailing = false
      observe({ type: 'census-back', path: file })
    }
  }

  /** Once until it works again. */
  function fail(reason: string): void {
    if (!isFailing)
      observe({ type: 'census-failed', path: file, reason: `${reason.replace(/\.$/, '')}. ${ADVICE}` })
    isFailing = true
  }

  function watch(facade: LegacyHandler): LegacyHandler {
    return {
      ...facade,
      answer: (query, caller) => {
        const made = facade.answer(query, caller)
        if (caller.request === undefined) return made
        // Before it is answered: a client that has left has no address any more.
        const visitor = visitorOf(caller.request, visits)
        const see = ({ about }: { readonly about: Subject }) => {
          if (about.outcome === 'ok' || facade.isLookup(query)) count(visitor, query, about)
        }
        if (made instanceof Promise) void made.then(see)
        else see(made)
        return made
      },
    }
  }

  async function finish(): Promise<void> {
    await writing
    flush()
    await writing
  }

  return {
    watch,
    see: (request, query, about) => count(visitorOf(request, visits), query, about),
    close: async () => {
      clearTimeout(soon)
      clearInterval(interval)
      await Promise.race([finish(), sleep(LAST_WRITE_MS, undefined, { ref: false })])
      writer.close()
    },
  }
}

const ADVICE =
  'Counting continues in memory, and is written when writing works again. Make the folder writable, free disk space, or set another CENSUS_FILE.'

/** @returns who has sent a request; one that is known already costs no more than looking it up */
function createVisitorReader(trustedProxies: readonly string[]) {
  const addressOf = createClientAddress(trustedProxies)
  const isProxied = trustedProxies.length > 0
  return (request: IncomingMessage, known: Pick<Visits, 'find'>): Visitor => {
    const { headers, socket } = request
    const agent = headers['user-agent']?.slice(0, MAX_AGENT_LENGTH) ?? ''
    const referer = headers.referer?.slice(0, MAX_REFERER_LENGTH) ?? ''
    const forwarded = isProxied ? String(headers['x-forwarded-for'] ?? '').slice(-MAX_FORWARDED_LENGTH) : ''
    const key = `${socket.remoteAddress} ${forwarded}\0${agent}\0${referer}`
    return known.find(key) ?? { key, address: addressOf(request), agent, referer }
  }
}
