// The old service that requests are passed to: from settings, and from a file that these may name.

import { type Reading, readText } from './reading.ts'
import { type ServiceSettings, serviceOf } from './service.ts'
import { table, type Values } from './settings.ts'

const rows = table.cutover

export type CutoverSettings = ServiceSettings & Omit<Values['cutover'], 'url' | 'headers' | 'headersFile'>

export function readCutover(values: Values['cutover'], reading: Reading): CutoverSettings {
  const { problems } = reading
  const { url: address, headers: ownHeaders, headersFile, ...others } = values
  const own = { row: rows.headers, value: ownHeaders }
  const headers = readText(own, { row: rows.headersFile, value: headersFile }, reading).value
  if (address === null && others.share > 0)
    problems.push(
      'CUTOVER_SHARE needs a CUTOVER_URL: the old service of the other clients. ' +
        'Without both, the gateway answers every client.',
    )
  if (address === null && others.fallback)
    problems.push('CUTOVER_FALLBACK=on needs a CUTOVER_URL: the old service to fall back to.')
  return Object.freeze({ ...serviceOf('CUTOVER', address, headers, problems), ...others })
}
