// What the reports of a replay say, in a terminal and on a page alike.

import { count, counted, percent } from '../../text.ts'
import type { ReplayReport } from './report.ts'
import type { Verdict } from './settled.ts'

export const verdictNames: readonly (readonly [Verdict | 'left', string])[] = [
  ['bytes', 'the same bytes'],
  ['meaning', 'the same meaning, other bytes'],
  ['different', 'different meaning'],
  ['failed', 'one did not answer'],
  ['left', 'not asked yet'],
]

export function headline({ proven, complete, total, tallies, lines }: ReplayReport): string {
  if (total.requests === 0)
    return 'There is nothing to compare: the log has no legacy request. Is --path right?'
  if (proven)
    return total.requests === 1
      ? `The only request means the same in both.${caution(lines)}`
      : `All ${count(total.requests)} distinct requests mean the same in both.${caution(lines)}`
  const { different } = tallies
  const found =
    different.requests === 0
      ? 'No request so far means something else.'
      : `${count(different.requests)} of ${counted(total.requests, 'distinct request')} ${different.requests === 1 ? 'means' : 'mean'} something else, ${percent(different.hits / total.hits)} of the traffic.`
  return complete ? found : `${found} This is a partial report: not every request has been compared.`
}

/** A log in which nothing was found to compare proves little. */
function caution({ legacy = 0, ...others }: ReplayReport['lines']): string {
  const skipped = Object.values(others).reduce((sum, number) => sum + number, 0)
  return skipped > legacy ? ' But most lines of the log were not counted.' : ''
}

export function lineCounts({ lines, total }: ReplayReport): string {
  const { legacy = 0, ...others } = lines
  const skipped = Object.entries(others).filter(([, number]) => number > 0)
  const listed = skipped.map(([why, number]) => `${count(number)} ${why}`).join(', ')
  const rest = listed === '' ? '' : ` Not counted: ${listed}.`
  return `${counted(legacy, 'legacy request')} in the log, ${count(total.requests)} of them distinct.${rest}`
}
