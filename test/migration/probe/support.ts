import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { advisedIn } from '../../kit/advised.ts'
import { type Answering, startAnswering, userOf } from '../../kit/answering.ts'
import { createEagerClock } from '../../kit/clock.ts'
import { type Switches, startOldService } from '../../kit/old-service.ts'
import type { Outcome, RunOptions } from '../../kit/run-lookup.ts'
import type { Workplace } from '../../kit/workplace.ts'

export async function startTwin(switches: Switches = {}) {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  return old
}

export interface Probed extends Outcome {
  /** The settings that are printed, and all others by default. */
  readonly settings: Readonly<Record<string, string>>
  /** The rest of the line of a behaviour. */
  readonly row: (name: string) => string
}

/**
 * Settings of a twin without switches. With them in force, fewer advised settings change something, and a
 * probe starts fewer gateways to find out which of them do.
 */
export const plain = {
  LEGACY_LOOSE_IDS: 'exact',
  LEGACY_XML_TYPE: 'text/xml;charset=UTF-8',
  LEGACY_MALFORMED: 'unknown',
  LEGACY_MAX_VALUES: '10000',
  LEGACY_JSON_TYPE: 'application/json',
  LEGACY_ERROR_BODY: 'lower-case',
  LEGACY_ERROR_TEXTS:
    'MissingParameter=Nothing to look up;MissingEvent=Unknown event;UnknownEvent=Unknown event;UnknownMethod=Unknown method',
  LEGACY_PATHS: '/,/index.php',
  LEGACY_REPEATED: 'last',
  LEGACY_OTHER_FORMAT: 'json',
  LEGACY_OTHER_METHOD: 'refuse-empty',
}

/** `lookup probe URL`, on a clock that waits for nothing, with those settings in force. */
export async function probe(
  place: Workplace,
  url: string,
  args: readonly string[] = [],
  options: Partial<RunOptions> = {},
): Promise<Probed> {
  const outcome = await place.run(['probe', url, ...args], {
    clock: createEagerClock(),
    env: plain,
    ...options,
  })
  const lines = outcome.stdout.split('\n')
  const row = (name: string) =>
    lines.find((line) => line.startsWith(`# ${name}  `))?.slice(name.length + 2) ?? ''
  return { ...outcome, settings: advisedIn(outcome.stdout), row: (name) => row(name).trim() }
}

export interface Asked {
  readonly method: string
  readonly target: string
  readonly query: URLSearchParams
  /** The values of its list. */
  readonly values: readonly string[]
  /** Which request it is, from 1 on. */
  readonly number: number
}
export type Said = readonly [status: number, type: string, body: string]

/** A service that has users 1 to 3 and app 1, and knows ids, usernames and chat identifiers. */
export function usual({ query, values }: Asked): Said {
  const method = query.get('MethodOfAccessingUserInformation') ?? 'id'
  const isApps = query.get('Event') === 'AppLookup'
  const isKnown =
    (isApps || query.get('Event') === 'ProfileLookup') && ['id', 'username', 'chat'].includes(method)
  if (!isKnown || values.length === 0) return [400, 'application/json', '{"Error":"This is wrong"}']
  const links = { ChangelogLink: '', ServiceDownloadLink: '' }
  const idOf = (value: string) => (method === 'username' ? /^u([1-3])$/i.exec(value)?.[1] : value) ?? ''
  const found = [...new Set(values)].flatMap((value): [string, Record<string, unknown>][] => {
    const id = method === 'chat' ? '' : idOf(value)
    if (isApps) return id === '1' ? [[value, { Title: 'A', Version: '1.0.0', Category: 1, ...links }]] : []
    return /^[1-3]$/.test(id) ? [[value, userOf(id)]] : []
  })
  if (query.get('Format') !== 'XML')
    return [200, 'application/json', JSON.stringify(Object.fromEntries(found))]
  const entries = found.map(([value, entry]) => {
    const fields = Object.entries(isApps ? entry : { ...entry, IsConfirmed: 1, Banned: '' })
    return `<Data Value="${value}">${fields.map(([name, text]) => `<${name}>${text}</${name}>`).join('')}</Data>`
  })
  return [200, 'text/xml', `<?xml version="1.0"?>\n<ServiceAPI>${entries.join('')}</ServiceAPI>\n`]
}

/** Settings of that service, as `plain` are those of a twin. */
export const plainOfUsual = {
  ...plain,
  LEGACY_REPEATED: 'first',
  LEGACY_XML_FLAGS: 'open-tags',
  LEGACY_XML_TYPE: 'text/xml',
  LEGACY_ERROR_BODY: 'text',
  LEGACY_ERROR_BODY_XML: '{"Error":"{message}"}',
  LEGACY_ERROR_TEXTS: 'MissingParameter=This is wrong;UnknownEvent=This is wrong;UnknownMethod=This is wrong',
}

/** A service with responses of its own; it may also handle the response by itself. */
export async function startOdd(
  answer: (asked: Asked, response: ServerResponse) => Said | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answering> {
  let number = 0
  const service = await startAnswering((request, response) => {
    const { url: target = '', method = '' } = request
    const query = new URL(target, 'http://x').searchParams
    const list = query.get(query.get('Event') === 'AppLookup' ? 'Apps' : 'Users') ?? ''
    const values = list.split(':').filter((value) => value !== '')
    const said = answer({ method, target, query, values, number: ++number }, response)
    if (said === null) return
    const [status, type, body] = said
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body)
  })
  onTestFinished(service.close)
  return service
}

/** A usual response with another body. */
export const withBody = ([status, type, body]: Said, change: (body: string) => string): Said => [
  ...([status, type] as const),
  change(body),
]
