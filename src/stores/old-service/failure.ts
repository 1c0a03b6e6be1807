// What it means that a call to an old service failed.

import { NoReply, type Reply } from './call.ts'

/**
 * - `outage`: the service cannot be reached, or says that it cannot answer now.
 * - `timeout`: the service did not answer in time.
 * - `unusable`: the service closed the connection, or sent something that is not in the interface. One of the
 *   values may be the reason.
 * - `redirected`: the same, with another address.
 */
export type FailureKind = 'outage' | 'timeout' | 'unusable' | 'redirected'

/** A call to an old service failed. The message is for the log, and holds no data but an address. */
export class OldServiceError extends Error {
  readonly kind: FailureKind

  constructor(message: string, kind: FailureKind = 'unusable') {
    super(message)
    this.kind = kind
  }
}

/** Statuses that are about the service rather than about a request. */
const outages: ReadonlySet<number> = new Set([408, 425, 429, 503])
const GATEWAY_TIMEOUT_STATUS = 504

/** The failure that a reply stands for; `null` for an answer. */
export function failureOf({ status, headers }: Reply): OldServiceError | null {
  const message = `the old service answers with status ${status}`
  if (outages.has(status) || headers['retry-after'] !== undefined)
    return new OldServiceError(message, 'outage')
  if (status === GATEWAY_TIMEOUT_STATUS) return new OldServiceError(message, 'timeout')
  return status === 200 ? null : new OldServiceError(message)
}

/** Whether a call failed since the service has another address. */
export function isRedirection(error: unknown): boolean {
  return error instanceof OldServiceError && error.kind === 'redirected'
}

/** The failure of a call that was not replied to; any other error as it is. */
export function failureFrom(error: unknown): unknown {
  if (!(error instanceof NoReply)) return error
  const kinds = {
    unreachable: 'outage',
    timeout: 'timeout',
    broken: 'unusable',
    redirected: 'redirected',
  } as const
  return new OldServiceError(`the old service failed: ${error.message}`, kinds[error.kind])
}
