// What it means that a call to an old service failed.

import { NoReply, type Reply } from './call.ts'

/**
 * - `outage`: the service cannot be reached, or says that it cannot answer now.
 * - `timeout`: the service did not respond in time.
 * - `unusable`: the service closed the connection, or sent something else than the interface has. One of the
 *   values may be the reason.
 * - `redirected`: the same, with another address.
 * - `refused`: the service says that it does not have all of the values, and nothing else.
 * - `unclear`: the response does not say which of the values exist.
 */
type FailureKind = 'outage' | 'timeout' | 'unusable' | 'redirected' | 'refused' | 'unclear'

/**
 * What is wrong with one entry. It may hold data of users: it is for the operator of a copy, not for the log.
 */
export interface Fault {
  readonly field?: string
  /** Words that follow the name of the field. */
  readonly problem: string
  /** Left out if the entry has no such field. */
  readonly value?: unknown
}

/** The message is for the log: its only data are addresses and ids. */
export class OldServiceError extends Error {
  readonly kind: FailureKind
  /** The status of the response, if that is the failure. */
  readonly status: number | undefined
  /** Private, so that nothing that writes errors to a log can see it. */
  readonly #fault: Fault | undefined

  constructor(message: string, kind: FailureKind = 'unusable', status?: number, fault?: Fault) {
    super(message)
    this.kind = kind
    this.status = status
    this.#fault = fault
  }

  /** Set if one entry is unreadable, and other entries are not. */
  get fault(): Fault | undefined {
    return this.#fault
  }
}

export function faultyEntry(message: string, fault: Fault): OldServiceError {
  return new OldServiceError(`the old service answers with ${message}`, 'unusable', undefined, fault)
}

/** Statuses that are about the service rather than about a request. */
const outages: ReadonlySet<number> = new Set([408, 425, 429, 503])
const GATEWAY_TIMEOUT = 504

const kinds: Readonly<Record<NoReply['kind'], FailureKind>> = {
  ...{ unreachable: 'outage', timeout: 'timeout', broken: 'unusable', redirected: 'redirected' },
}

/** The text of a response, which must have the status 200 and be UTF-8. @throws OldServiceError */
export function textOf(outcome: Reply | NoReply): string {
  if (outcome instanceof NoReply)
    throw new OldServiceError(`the old service failed: ${outcome.message}`, kinds[outcome.kind])
  const { status, headers, body } = outcome
  const isOutage = outages.has(status) || headers['retry-after'] !== undefined
  if (isOutage || status !== 200) {
    const kind: FailureKind = isOutage ? 'outage' : status === GATEWAY_TIMEOUT ? 'timeout' : 'unusable'
    throw new OldServiceError(`the old service answers with status ${status}`, kind, status)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new OldServiceError('the old service answers with text that is not UTF-8')
  }
}
