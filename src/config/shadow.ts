// The old service that live answers are compared with: from settings, and from a file that these may name.

import { contradictionIn, type Noise } from './noise.ts'
import { type Reading, readText } from './reading.ts'
import { type ServiceSettings, serviceOf } from './service.ts'
import { table, type Values } from './settings.ts'

const rows = table.shadow

export interface ShadowSettings extends ServiceSettings {
  /** From 0 to 1. */
  readonly sample: number
  /** What does not count. */
  readonly noise: Noise
}

/** @param isCutOver whether answers are compared with those of CUTOVER_URL where there is no SHADOW_URL */
export function readShadow(values: Values['shadow'], isCutOver: boolean, reading: Reading): ShadowSettings {
  const { problems } = reading
  const { url: address, sample, ignore, tolerate, learn } = values
  const noise = Object.freeze({ ignore, tolerate, learn })
  const contradiction = contradictionIn(noise)
  if (contradiction !== null)
    problems.push(`SHADOW_IGNORE and SHADOW_TOLERATE: ${contradiction}. Remove one of the two.`)
  const own = { row: rows.headers, value: values.headers }
  const headers = readText(own, { row: rows.headersFile, value: values.headersFile }, reading).value
  if (address === null && sample > 0)
    problems.push('SHADOW_SAMPLE needs a SHADOW_URL: the old service to compare with.')
  const service = serviceOf('SHADOW', address, headers, problems)
  if (address === null && !isCutOver && (ignore.length + tolerate.length > 0 || learn))
    problems.push(
      'SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN need a SHADOW_URL: the old service to compare with.',
    )
  return Object.freeze({ ...service, sample, noise })
}
