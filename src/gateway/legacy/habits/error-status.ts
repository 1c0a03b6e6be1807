import { isOurFault } from '../../../errors.ts'
import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { askAll, isRefused } from './heard.ts'
import { refusedQuestions } from './questions.ts'
import { parseErrorStatus } from './unknown-status.ts'

/** 200 is for clients that cannot read a body behind another status. */
export const errorStatus = habit({
  setting: setting(
    'LEGACY_ERROR_STATUS',
    'http',
    'http, 200, or a status from 400 to 599',
    'HTTP status of errors: their own, always 200, or one for all that is wrong with requests',
    (text): 'http' | number | undefined => (text === 'http' ? text : parseErrorStatus(text)),
  ),
  effect: (value, { error }) => {
    // LEGACY_UNKNOWN_STATUS speaks for that one.
    if (error === null || error.code === 'NothingFound') return null
    if (value === 'http' || keepsStatus(value, error.code)) return null
    return `Errors are answered with status ${value}.`
  },
  tell: async (probing) => {
    const heard = await askAll(probing, refusedQuestions(probing.ids[0] ?? '', probing.apps[0]))
    const statuses = new Set(heard.flatMap((one) => (one !== null && isRefused(one) ? [one.status] : [])))
    const [status] = statuses
    if (status === undefined) return null
    // 400 is what each of them has anyway.
    if (statuses.size > 1 || status === 400) return 'http'
    return parseErrorStatus(String(status)) === undefined ? null : String(status)
  },
})

/**
 * Whether an error keeps its own status where all others have one. An outage as 404 would say that nothing is
 * there, and no client would ask again. 200 is for clients that cannot read any other.
 */
export function keepsStatus(errorStatus: number, code: string): boolean {
  return errorStatus !== 200 && (code === 'TooManyRequests' || isOurFault(code))
}
