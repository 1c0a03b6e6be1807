// What it means that a call to an old service failed.

import { NoReply, type Reply } from './call.ts'

/**
 * - `outage`: the service cannot be reached, or says that it cannot answer now.
 * - `timeout`: the service did not answer in time.
 * - `unusable`: the service closed the connection, or sent something that is not in the interface. One of the
 *   values may be the reason.
 * - `redirected`: the same, with another address.
 * - `refused`: the service says that it has not all of the values, and nothing else.
 */
type FailureKind = 'outage' | 'timeout' | 'unusable' | 'redirected' | 'refused'

/** A call to an old service failed. The message is for the log, and holds no data but addresses and ids. */
export class OldServiceError extends Error {
  readonly kind: FailureKind

  constructor(message: string, kind: FailureKind = 'unusable') {
    super(message)
    this.kind = kind
  }
}

/** A status that is no answer, unless its body says that the service has not all of the values. */
export class StatusError extends OldServiceError {
  /** Hidden from whatever writes errors to a log. */
  readonly #reply: Reply

  constructor(message: string, kind: FailureKind, reply: Reply) {
    super(message, kind)
    this.#reply = reply
  }

  get reply(): Reply {
    return this.#reply
  }
}

/** What is wrong with an entry. It may hold data: it is for the operator of a copy, and for no log. */
interface Fault {
  readonly field?: string
  /** In words that go on after the name of the field. */
  readonly problem: string
  /** What stood there; left out where nothing did. */
  readonly value?: unknown
}

/** One entry that cannot be read; the others of the answer can. */
export class FaultyEntry extends OldServiceError {
  readonly #fault: Fault

  constructor(message: string, fault: Fault) {
    super(message)
    this.#fault = fault
  }

  get fault(): Fault {
    return this.#fault
  }

  /** The same, with the id of its user or app. */
  of(id: string): FaultyEntry {
    return new FaultyEntry(`${this.message} (id ${id})`, this.#fault)
  }
}

/** Statuses that are about the service rather than about a request. */
const outages: ReadonlySet<number> = new Set([408, 425, 429, 503])
const GATEWAY_TIMEOUT_STATUS = 504

/** The failure that a reply stands for; `null` for an answer. */
export function failureOf(reply: Reply): OldServiceError | null {
  const { status, headers } = reply
  const failed = (kind: FailureKind) =>
    new StatusError(`the old service answers with status ${status}`, kind, reply)
  if (outages.has(status) || headers['retry-after'] !== undefined) return failed('outage')
  if (status === GATEWAY_TIMEOUT_STATUS) return failed('timeout')
  return status === 200 ? null : failed('unusable')
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
