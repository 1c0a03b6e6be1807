import { optional } from '../../../setting-kinds.ts'
import { allowedByCode, ofError, pairsByCode, tellByCode } from './by-code.ts'
import { errorStatus } from './error-status.ts'
import { habit } from './habit.ts'
import { type Heard, isRefused } from './heard.ts'
import { parseErrorStatus } from './unknown-status.ts'

const isStatus = (text: string) => parseErrorStatus(text) !== undefined

/** Services of frameworks have 404 for one error, 422 for another and 400 for the rest. */
export const errorStatuses = habit({
  setting: optional(
    'LEGACY_ERROR_STATUSES',
    allowedByCode('STATUS'),
    'statuses of single errors that differ from LEGACY_ERROR_STATUS, such as UnknownEvent=404',
    (text) => (pairsByCode(text, isStatus) === null ? undefined : text),
  ),
  effect: (statuses, { error }) => {
    const status = error === null ? undefined : ofError(errorStatusesIn(statuses), error)
    return status === undefined ? null : `This error has status ${status}.`
  },
  tell: async (probing) => {
    const told = await errorStatus.tell(probing)
    // 400 is what each of them has by itself.
    const usual = told === null || told === 'http' ? '400' : told
    const statusIn = (heard: Heard) => {
      const status = String(heard.status)
      return isRefused(heard) && status !== usual && isStatus(status) ? status : null
    }
    return tellByCode(probing, statusIn, usual)
  },
})

/** By code. */
export function errorStatusesIn(statuses: string | null): ReadonlyMap<string, number> {
  const pairs = statuses === null ? [] : (pairsByCode(statuses, isStatus) ?? [])
  return new Map(pairs.map(([code, status]) => [code, Number(status)]))
}
