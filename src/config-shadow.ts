// The old service that live answers are compared with: from settings, and from a file that these may name.

import { type Reading, readText } from './config-files.ts'
import { contradictionIn, type Noise } from './noise.ts'
import { type ServiceHeaders, withLogin } from './service-headers.ts'
import { table, type Values } from './settings.ts'

const rows = table.shadow

export interface ShadowSettings {
  /** Without a login; `null` where nothing is compared. */
  readonly url: string | null
  readonly headers: ServiceHeaders
  /** From 0 to 1. */
  readonly sample: number
  /** What does not count. */
  readonly noise: Noise
}

export function readShadow(values: Values['shadow'], reading: Reading): ShadowSettings {
  const { problems } = reading
  const { url: address, sample, ignore, tolerate, learn } = values
  const noise = Object.freeze({ ignore, tolerate, learn })
  const contradiction = contradictionIn(noise)
  if (contradiction !== null)
    problems.push(`SHADOW_IGNORE and SHADOW_TOLERATE: ${contradiction}. Remove one of the two.`)
  const own = { row: rows.headers, value: values.headers }
  const headers = readText(own, { row: rows.headersFile, value: values.headersFile }, reading).value
  if (address === null) {
    if (sample > 0) problems.push('SHADOW_SAMPLE needs a SHADOW_URL: the old service to compare with.')
    if (Object.keys(headers).length > 0)
      problems.push('SHADOW_HEADERS needs a SHADOW_URL: the old service that requests with them go to.')
    if (ignore.length + tolerate.length > 0 || learn)
      problems.push(
        'SHADOW_IGNORE, SHADOW_TOLERATE and SHADOW_LEARN need a SHADOW_URL: the old service to compare with.',
      )
    return Object.freeze({ url: null, headers, sample, noise })
  }
  const all = withLogin(headers, address.authorization)
  if (all === null)
    problems.push(
      'SHADOW_URL has a login, and SHADOW_HEADERS has an Authorization header. Remove one of them.',
    )
  return Object.freeze({ url: address.url, headers: all ?? headers, sample, noise })
}
