// From a request that Node has read to its response: admitted, answered, sent, and observed.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LookupError } from '../errors.ts'
import type { Answer } from '../gateway/answer.ts'
import type { Observe, Subject } from '../observe/events.ts'
import type { AccessLog } from './access-log.ts'
import type { Backpressure, Ticket } from './backpressure.ts'
import { discardBody, hasBody } from './body.ts'
import type { Compress } from './compression.ts'
import type { Admission } from './overload.ts'
import { refusal, type Sent, send } from './respond.ts'
import type { Router } from './router.ts'
import { parseTarget } from './target.ts'

interface RequestHandlerOptions {
  readonly router: Router
  readonly compress: Compress
  readonly admission: Admission
  readonly backpressure: Backpressure
  readonly accessLog: AccessLog | null
  readonly observe: Observe
}

const callerLeft = new LookupError('CallerLeft')
const left: Subject = { event: 'none', format: 'JSON', outcome: callerLeft.code, values: 0 }

export function createRequestHandler({
  router,
  compress,
  admission,
  backpressure,
  accessLog,
  observe,
}: RequestHandlerOptions): RequestListener {
  async function handle(request: IncomingMessage, response: ServerResponse, ticket: Ticket): Promise<void> {
    const started = performance.now()
    const { pathname, query } = parseTarget(request.url ?? '/')
    const room = router.roomAt(pathname)
    const log = room.isLegacy ? accessLog?.begin(request) : undefined
    // A body takes as long as its client likes: it is only work when it is there.
    const counts = !(room.readsBodies && hasBody(request))
    const isAdmitted = counts ? admission.enter(started) : !backpressure.isFull()
    const requestId = requestIdOf(request)
    const caller = { requestId, departure: ticket.connection.departure }
    let made: Answer | null
    try {
      const { headerBytes } = ticket
      const making = router.answer(room, { request, query, caller, isAdmitted, headerBytes })
      // What is there at once is sent at once: a cached answer waits for no turn.
      const answer = making instanceof Promise ? await making : making
      const coded = compress(request, answer)
      made = coded instanceof Promise ? await coded : coded
    } catch (error) {
      made = failed(error, request, requestId)
    }
    const sent = made === null ? null : deliver(request, response, made, requestId)
    if (sent === null) {
      response.destroy()
      backpressure.dropped(ticket)
    } else backpressure.sent(ticket, response, sent)
    const duration = performance.now() - started
    if (counts) admission.leave(isAdmitted, duration)
    const about = made?.about ?? left
    const status = made === null ? callerLeft.status : response.statusCode
    log?.(made, status, duration)
    observe({ type: 'request', requestId, about, status, duration })
  }

  /** Answers an unexpected error. @returns the answer; `null` where no client waits for one */
  function failed(error: unknown, request: IncomingMessage, requestId: string): Answer | null {
    // A client that breaks off in the middle of its request needs no answer.
    if (request.errored !== null) return null
    observe({ type: 'unexpected', requestId, error })
    return refusal(new LookupError('Internal'))
  }

  /** Sends an answer; `null` where that fails. */
  function deliver(
    request: IncomingMessage,
    response: ServerResponse,
    made: Answer,
    requestId: string,
  ): Sent | null {
    // What is left of a request that was refused for want of memory is not waited for; after a request to
    // speak another protocol, Node reads no further ones.
    const isLast = made.status === 431 || made.about.outcome === 'Overloaded'
    if (request.headers.upgrade !== undefined || (isLast && !request.complete && hasBody(request)))
      response.shouldKeepAlive = false
    try {
      const sent = send(request, response, made, requestId)
      discardBody(request, response)
      return sent
    } catch (error) {
      observe({ type: 'unexpected', requestId, error })
      return null
    }
  }

  return (request, response) => {
    backpressure.run(request, response, (ticket) => void handle(request, response, ticket))
  }
}

/** Printable ASCII without blanks: safe in a header, and long enough for any proxy's ids. */
const readable = /^[\x21-\x7e]{1,128}$/

/** The id of a request: the one that it brings along (`X-Request-Id`), or a new one. */
function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && readable.test(given) ? given : randomUUID()
}
