// An error of the client for which a dialect may have a recorded reply.

import { LookupError } from '../errors.ts'
import type { ErrorKind } from './dialect.ts'

export class RefusedRequest extends LookupError {
  readonly kind: ErrorKind
  /** What a recorded reply has for `{value}`. */
  readonly value: string

  constructor(kind: ErrorKind, value: string, ...[code, details]: ConstructorParameters<typeof LookupError>) {
    super(code, details)
    this.kind = kind
    this.value = value
  }
}
