// An error as the old service would say it.

import type { LookupError } from '../../errors.ts'
import type { Dialect } from '../../settings.ts'
import { errorTextsIn } from './habits/error-texts.ts'

export interface SpokenError {
  readonly code: string
  readonly message: string
  readonly status: number
  /** Seconds. */
  readonly retryAfter: number | undefined
}

type Spoken = (error: LookupError) => SpokenError

export function errorSpeaker(dialect: Dialect): Spoken {
  const statusOf = statuses(dialect)
  const texts = errorTextsIn(dialect.errorTexts)
  return ({ code, message, status, retryAfter }) => {
    return { code, message: texts.get(code) ?? message, status: statusOf(code, status), retryAfter }
  }
}

function statuses({ errorStatus, unknownStatus }: Dialect): (code: string, status: number) => number {
  return (code, status) => {
    if (code === 'NothingFound' && unknownStatus !== null) return unknownStatus
    if (errorStatus === 'http' || errorStatus === 200) return errorStatus === 200 ? 200 : status
    // An outage as 404 would say that nothing is there, and no client would ask again.
    return status >= 500 || status === 429 ? status : errorStatus
  }
}
