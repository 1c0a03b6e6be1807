// An error as the old service would say it.

import type { LookupError } from '../../errors.ts'
import type { Subject } from '../../paired-texts.ts'
import type { Dialect } from '../../settings.ts'
import { ofError } from './habits/by-code.ts'
import { errorCodesIn } from './habits/error-codes.ts'
import { keepsStatus } from './habits/error-status.ts'
import { errorStatusesIn } from './habits/error-statuses.ts'
import { errorTextsIn } from './habits/error-texts.ts'

export interface SpokenError {
  readonly code: string
  /** What the settings that say something of single errors call it: often the code. */
  readonly key: string
  /** What is written for the code. */
  readonly word: string
  readonly message: string
  readonly status: number
  /** Seconds. */
  readonly retryAfter: number | undefined
}

/** @param subject that of the event, where it is known: texts may differ */
type Spoken = (error: LookupError, subject: Subject) => SpokenError

export function errorSpeaker(dialect: Dialect): Spoken {
  const statusOf = statuses(dialect)
  const texts = {
    users: errorTextsIn(dialect.errorTexts, 'users'),
    apps: errorTextsIn(dialect.errorTexts, 'apps'),
  }
  const words = errorCodesIn(dialect.errorCodes)
  const ofCodes = errorStatusesIn(dialect.errorStatuses)
  const keys = new Set([...texts.users.keys(), ...words.keys(), ...ofCodes.keys()])
  return ({ code, kind, message, status, retryAfter }, subject) => {
    const key = keys.has(kind) ? kind : code
    return {
      code,
      key,
      word: ofError(words, { code, key }) ?? code,
      message: ofError(texts[subject], { code, key }) ?? message,
      status: ofError(ofCodes, { code, key }) ?? statusOf(code, status),
      retryAfter,
    }
  }
}

function statuses(dialect: Dialect): (code: string, status: number) => number {
  const { errorStatus, unknownStatus } = dialect
  return (code, status) => {
    if (code === 'NothingFound' && unknownStatus !== null) return unknownStatus
    return errorStatus === 'http' || keepsStatus(errorStatus, code) ? status : errorStatus
  }
}
