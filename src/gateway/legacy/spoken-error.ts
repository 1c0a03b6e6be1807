// An error as the old service would say it.

import type { LookupError } from '../../errors.ts'
import type { Dialect } from '../../settings.ts'
import { keepsStatus } from './habits/error-status.ts'
import { errorStatusesIn } from './habits/error-statuses.ts'
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

function statuses(dialect: Dialect): (code: string, status: number) => number {
  const { errorStatus, unknownStatus } = dialect
  const ofCodes = errorStatusesIn(dialect.errorStatuses)
  return (code, status) => {
    if (code === 'NothingFound' && unknownStatus !== null) return unknownStatus
    const ofCode = ofCodes.get(code)
    if (ofCode !== undefined) return ofCode
    return errorStatus === 'http' || keepsStatus(errorStatus, code) ? status : errorStatus
  }
}
