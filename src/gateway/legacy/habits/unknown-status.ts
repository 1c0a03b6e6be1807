import { optional, parseInteger } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isRefused } from './heard.ts'
import { hearUnknown } from './unknown-heard.ts'

/**
 * Whether a status may have the body of an error: 204 and 304 have none, and a redirection has an address.
 */
export function parseErrorStatus(text: string): number | undefined {
  return text === '200' ? 200 : parseInteger(text, 400, 599)
}

export const unknownStatus = habit({
  setting: optional(
    'LEGACY_UNKNOWN_STATUS',
    '200, or a status from 400 to 599',
    'HTTP status of that error; unset: 404, or that of LEGACY_ERROR_STATUS',
    parseErrorStatus,
  ),
  effect: (status, { error }) =>
    status !== null && error?.code === 'NothingFound'
      ? `Errors for what is not found have status ${status}.`
      : null,
  tell: async (probing) => {
    const { pair, alone } = await hearUnknown(probing)
    const refused = [pair, alone].find((heard) => isRefused(heard))
    const status = String(refused?.status ?? '')
    return parseErrorStatus(status) === undefined ? null : status
  },
})
