// An old service that settings name, and what each request to it carries.

import { type ServiceAddress, type ServiceHeaders, withLogin } from './old-service.ts'

export interface ServiceSettings {
  /** Without a login; `null` where none is named. */
  readonly url: string | null
  readonly headers: ServiceHeaders
}

/** @param prefix of the names of its settings */
export function serviceOf(
  prefix: 'SHADOW' | 'CUTOVER',
  address: ServiceAddress | null,
  headers: ServiceHeaders,
  problems: string[],
): ServiceSettings {
  if (address === null) {
    if (Object.keys(headers).length > 0)
      problems.push(`${prefix}_HEADERS needs a ${prefix}_URL: the old service that requests with them go to.`)
    return { url: null, headers }
  }
  const all = withLogin(headers, address.authorization)
  if (all === null)
    problems.push(
      `${prefix}_URL has a login, and ${prefix}_HEADERS has an Authorization header. Remove one of them.`,
    )
  return { url: address.url, headers: all ?? headers }
}
