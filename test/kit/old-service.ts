// An old lookup service in this process, with the habits of the one in PHP (test/old-service/index.php): the
// same requests and the same switches give the same bytes, which `npm run test:peers` checks.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { sample } from './gateway.ts'
import { type Fields, isNumeric, toJson, toXml } from './php-text.ts'
import { listenOn } from './proxy.ts'

/**
 * What may differ from one old service to another, with the defaults. The old service in PHP has the same
 * switches.
 */
export const defaultSwitches = {
  /** What stands for an identifier that matches nothing. */
  unknown: 'missing' as 'missing' | 'null' | 'error' | 'list',
  /** A response without any entry. */
  nothing: 'usual' as 'usual' | 'null' | 'silent' | 'error',
  /** The formats whose texts went through htmlspecialchars. */
  escaped: '' as '' | 'both' | 'json',
  /** Whether ids are whatever PHP takes for a number: 02, 1e3, " 7". */
  looseIds: false,
  caseSensitive: false,
  /** The name of an entry: the value as asked for, the username, or the id. */
  naming: 'asked' as 'asked' | 'stored' | 'id',
  /** SQL of ORDER BY, or ksort for names. */
  orderBy: '',
  appsOrderBy: '',
  /** A text that no query string may hold, as a firewall has it. */
  blocked: '',
  /** The id of a user whose display name PHP cannot encode. */
  broken: 0,
  errorStatus: 'http' as 'http' | '200',
  pretty: false,
  /** JSON_NUMERIC_CHECK. */
  numericCheck: false,
  xmlDeclaration: true,
  serviceName: 'Service',
  chatMethod: 'chat',
  /** 0: no limit. */
  maxValues: 0,
  /** Milliseconds. */
  delay: 0,
  withoutApps: false,
  failing: false,
  /** What changes from one response to the next; Version, status and entries every other time. */
  changing: [] as readonly ('JoinDate' | 'Rank' | 'Version' | 'status' | 'entries')[],
  /** Sends half of each response, and hangs up. */
  cutting: false,
  anyCase: [] as readonly ('parameters' | 'events' | 'methods' | 'formats')[],
  repeated: 'last' as 'last' | 'first' | 'refuse',
  /** Which events but the two mean the default. */
  otherEvent: 'refuse' as 'refuse' | 'missing' | 'empty' | 'any',
  defaultEvent: 'ProfileLookup' as 'ProfileLookup' | 'AppLookup',
  otherFormat: 'json' as 'json' | 'xml' | 'refuse',
  otherMethod: 'refuse' as 'refuse' | 'id' | 'username' | 'unknown',
  /** A list without values: an error by empty(), by isset(), always or never. */
  noValues: 'refuse' as 'refuse' | 'refuse-empty' | 'refuse-missing' | 'empty',
  paths: [] as readonly string[],
  /** A header that each request needs, as `Name: value`. */
  wants: '',
  /** `user:password` that each request needs. */
  login: '',
  /** Sends every response in gzip, whatever the request accepts. */
  gzip: false,
  /** Redirects every request to that address, with its query. */
  movedTo: '',
}

export type Switches = Readonly<Partial<typeof defaultSwitches>>

export interface OldService {
  /** With a slash at its end. */
  readonly url: string
  /** From the next request on; a switch that is not named has its default. */
  readonly switchTo: (switches: Switches) => void
  /** Ends it as a machine that loses its power; `start` brings it back. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  /** From now on it accepts connections, and sends nothing. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly close: () => Promise<void>
}

export interface OldServiceOptions {
  /** The sample data by default. */
  readonly data?: { readonly users: string; readonly apps: string }
  /** A free one by default. */
  readonly port?: number
}

export async function startOldService(
  switches: Switches = {},
  { data = sample, port: wanted = 0 }: OldServiceOptions = {},
): Promise<OldService> {
  const database = load(data)
  const respond = createService(database)
  let on: Required<Switches> = { ...defaultSwitches, ...switches }
  let port = wanted
  let server: Server | null = null
  let thawed = Promise.withResolvers<void>()
  thawed.resolve()

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await thawed.promise
    const current = on
    await new Promise((resolve) => setTimeout(resolve, current.delay))
    const reply = respond(request, current)
    response.statusCode = reply.status
    for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value)
    if (!current.cutting) return void response.end(reply.body)
    response.setHeader('Content-Length', reply.body.length)
    response.write(reply.body.subarray(0, reply.body.length >> 1), () => response.destroy())
  }

  async function start(): Promise<void> {
    server = createServer((request, response) => void handle(request, response))
    port = await listenOn(server, port)
  }

  async function kill(): Promise<void> {
    if (server === null) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
    server = null
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}/`,
    switchTo: (next) => {
      on = { ...defaultSwitches, ...next }
    },
    ...{ start, kill },
    freeze: () => {
      thawed = Promise.withResolvers()
    },
    thaw: () => thawed.resolve(),
    close: async () => {
      thawed.resolve()
      await kill()
      database.close()
    },
  }
}

type Cell = string | number | boolean | null | undefined

function load({ users, apps }: { readonly users: string; readonly apps: string }): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  for (const [table, file] of [['users', users] as const, ['apps', apps] as const]) {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const rows = lines.map((line): Record<string, Cell> => JSON.parse(line))
    const columns = [...new Set(['chatId', ...rows.flatMap((row) => Object.keys(row))])]
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const types = columns.map((name) => (name === 'id' ? 'id INTEGER PRIMARY KEY' : snake(name)))
    database.exec(`CREATE TABLE ${table} (${types})`)
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?')})`)
    const stored = (value: Cell) => (typeof value === 'boolean' ? Number(value) : value)
    for (const row of rows) insert.run(...columns.map((name) => stored(row[name]) ?? null))
  }
  return database
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What the service has against a request. */
class Refusal extends Error {}

const page = (status: number, text: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=UTF-8', ...headers },
  body: Buffer.from(text),
})

type Service = (request: IncomingMessage, on: Required<Switches>) => Reply

function createService(database: DatabaseSync): Service {
  /** How often each query came while responses change. */
  const turns = new Map<string, number>()
  return (request, on) => {
    const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(request.url ?? '/') ?? []
    const refused = refusalOf(request, query, on)
    if (refused !== null) return refused
    if (on.paths.length > 0 && !on.paths.includes(path)) return page(404, '<h1>Not Found</h1>\n')
    if (on.blocked !== '' && decode(query, false).includes(on.blocked))
      return page(403, '<h1>Forbidden</h1>\n')
    const turn = turns.get(query) ?? 0
    if (on.changing.length > 0) turns.set(query, turn + 1)
    const reply = lookUp(database, query, on, turn % 2 === 1)
    if (!on.gzip) return reply
    const headers = { ...reply.headers, 'Content-Encoding': 'gzip' }
    return { ...reply, headers, body: gzipSync(reply.body) }
  }
}

/** Responds to a request that never reaches the lookup. */
function refusalOf({ headers }: IncomingMessage, query: string, on: Required<Switches>): Reply | null {
  if (on.failing)
    return page(
      500,
      '<h1>Internal Server Error</h1>\n<b>Warning</b>: PDO: server has gone away in /var/www/index.php on line 12\n',
    )
  const [, name = '', value = ''] = /^(.*?): (.*)$/.exec(on.wants) ?? []
  if (on.wants !== '' && headers[name.toLowerCase()] !== value) return page(403, '<h1>Forbidden</h1>\n')
  const login = Buffer.from((headers.authorization ?? '').replace(/^Basic /i, ''), 'base64').toString()
  if (on.login !== '' && login !== on.login)
    return page(401, '<h1>Unauthorized</h1>\n', { 'WWW-Authenticate': 'Basic realm="old"' })
  return on.movedTo === '' ? null : page(301, '<h1>Moved</h1>\n', { Location: `${on.movedTo}?${query}` })
}

/** @param isNextTurn whether the same query came an odd number of times before */
function lookUp(database: DatabaseSync, query: string, on: Required<Switches>, isNextTurn: boolean): Reply {
  const changes = (part: Required<Switches>['changing'][number]) => isNextTurn && on.changing.includes(part)
  const parameters = new Map<string, string>()
  const isXml = () => parameters.get('Format') === 'XML'
  let status = 200
  const send = (found: Found): Reply => {
    const isEmpty = ![...found.values()].some((fields) => fields !== null)
    const type = { 'Content-Type': isXml() ? 'text/xml;charset=UTF-8' : 'application/json' }
    if (isEmpty && on.nothing === 'silent') return page(status, '')
    if (isEmpty && on.nothing === 'error') throw new Refusal('Nobody at all')
    const isEscaped = on.escaped === 'both' || (on.escaped === 'json' && !isXml())
    const shown = isEscaped ? escapeAll(found) : found
    const body = isXml() ? toXml(shown, on) : toJson(shown, on)
    if (body === null)
      return page(200, '<b>Fatal error</b>: Uncaught JsonException: Malformed UTF-8 characters')
    return { status, headers: type, body: Buffer.from(body) }
  }
  try {
    readParameters(query, on, parameters)
    const event = eventOf(parameters.get('Event'), on)
    if (on.withoutApps && event === 'AppLookup') throw new Refusal('Unknown event')
    if (event !== 'ProfileLookup' && event !== 'AppLookup') throw new Refusal('Unknown event')
    const found =
      event === 'ProfileLookup'
        ? lookUpUsers(database, parameters, on)
        : lookUpApps(database, parameters, on, changes('Version'))
    if (changes('entries')) return send(new Map())
    if (changes('status')) status = 404
    return send(found)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (on.errorStatus === 'http') status = 400
    return send(new Map([['error', error.message]]))
  }
}

/** What stands for each name: fields, `null`, an empty list, or the text of an error. */
export type Found = ReadonlyMap<string, Fields | null | readonly [] | string>

function eventOf(event: string | undefined, { otherEvent, defaultEvent }: Required<Switches>): string {
  if (otherEvent === 'refuse') return event ?? ''
  if (otherEvent === 'missing') return event ?? defaultEvent
  if (otherEvent === 'empty')
    return event === undefined || event === '' || event === '0' ? defaultEvent : event
  return event === 'ProfileLookup' || event === 'AppLookup' ? event : defaultEvent
}

function readParameters(query: string, on: Required<Switches>, read: Map<string, string>): void {
  const names = ['Event', 'Format', 'MethodOfAccessingUserInformation', 'Users', 'Apps']
  const asDeclared = (text: string, known: readonly string[]) =>
    known.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text
  for (const part of query.split('&')) {
    const [name = '', ...rest] = part.split('=')
    const decoded = decode(name, true)
    const key = on.anyCase.includes('parameters') ? asDeclared(decoded, names) : decoded
    if (read.has(key) && on.repeated === 'refuse') throw new Refusal('Given twice')
    if (!read.has(key) || on.repeated === 'last') read.set(key, decode(rest.join('='), true))
  }
  const known = [
    ['events', 'Event', ['ProfileLookup', 'AppLookup']],
    ['methods', 'MethodOfAccessingUserInformation', ['id', 'username', on.chatMethod]],
    ['formats', 'Format', ['JSON', 'XML']],
  ] as const
  for (const [kind, name, values] of known) {
    const value = read.get(name)
    if (value !== undefined && on.anyCase.includes(kind)) read.set(name, asDeclared(value, values))
  }
  const format = read.get('Format') ?? 'JSON'
  if (on.otherFormat === 'refuse' && !['', 'JSON', 'json', 'XML'].includes(format))
    throw new Refusal('Unknown format')
  if (on.otherFormat === 'xml' && format !== 'JSON') read.set('Format', 'XML')
}

/** As urldecode and rawurldecode do it: what is no escape stays. */
function decode(text: string, isForm: boolean): string {
  const bytes = (isForm ? text.replaceAll('+', ' ') : text).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function lookUpUsers(
  database: DatabaseSync,
  parameters: ReadonlyMap<string, string>,
  on: Required<Switches>,
): Found {
  const method = parameters.get('MethodOfAccessingUserInformation') ?? 'id'
  const byName = 'username COLLATE NOCASE'
  const columns = new Map([
    ['id', 'id'],
    ['username', on.caseSensitive ? 'username COLLATE BINARY' : byName],
    [on.chatMethod, 'chat_id'],
  ])
  const others = { id: 'id', username: byName, unknown: 'NULL' }
  if (!columns.has(method) && on.otherMethod === 'refuse') throw new Refusal('Unknown method')
  const column = columns.get(method) ?? (on.otherMethod === 'refuse' ? 'NULL' : others[on.otherMethod])
  const find = database.prepare(`SELECT * FROM users WHERE ${column} = ?`)
  const request = { list: parameters.get('Users'), byId: column === 'id', order: on.orderBy, table: 'users' }
  return lookUpEach(database, find, request, on, (user) => [
    ['Id', Number(user.id)],
    ['Username', String(user.username)],
    ['DisplayName', Number(user.id) === on.broken ? null : String(user.display_name)],
    ['Rank', on.changing.includes('Rank') ? 1 + Math.floor(Math.random() * 1e9) : Number(user.rank)],
    ['JoinDate', on.changing.includes('JoinDate') ? Math.floor(Date.now() / 1000) : Number(user.join_date)],
    ['IsConfirmed', Boolean(user.is_confirmed)],
    ['Banned', Boolean(user.banned)],
  ])
}

function lookUpApps(
  database: DatabaseSync,
  parameters: ReadonlyMap<string, string>,
  on: Required<Switches>,
  hasOtherVersion: boolean,
): Found {
  const find = database.prepare('SELECT * FROM apps WHERE id = ?')
  const request = { list: parameters.get('Apps'), byId: true, order: on.appsOrderBy, table: 'apps' }
  return lookUpEach(database, find, request, on, (app) => [
    ['Title', String(app.title)],
    ['Version', hasOtherVersion ? '0.0.0' : String(app.version)],
    ['Category', Number(app.category)],
    ['ChangelogLink', String(app.changelog_link)],
    [`${on.serviceName}DownloadLink`, String(app.download_link)],
  ])
}

type Row = Readonly<Record<string, unknown>>

function lookUpEach(
  database: DatabaseSync,
  find: ReturnType<DatabaseSync['prepare']>,
  { list, byId, order, table }: { list: string | undefined; byId: boolean; order: string; table: string },
  on: Required<Switches>,
  fieldsOf: (row: Row) => Fields,
): Found {
  const values = [...new Set((list ?? '').split(':').filter((value) => value !== ''))]
  if (values.length === 0 && refusesNoValues(list, on)) throw new Refusal('Nothing to look up')
  if (on.maxValues > 0 && values.length > on.maxValues) throw new Refusal(`More than ${on.maxValues} values`)
  const found = new Map<string, Fields | null | readonly []>()
  const ids = new Map<string, unknown>()
  const isId = (value: string) => (on.looseIds ? isNumeric(value) : /^[1-9]\d{0,15}$/.test(value))
  for (const value of values) {
    const row: Row | undefined =
      byId && !isId(value) ? undefined : find.get(byId ? Math.trunc(Number(value)) : value)
    if (row !== undefined) {
      const names = { asked: value, stored: String(row.username ?? value), id: String(row.id) }
      ids.set(names[on.naming], row.id)
      found.set(names[on.naming], fieldsOf(row))
    } else if (on.unknown === 'error') throw new Refusal(`Nothing found for ${value}`)
    else if (on.unknown === 'null') found.set(value, null)
    else if (on.unknown === 'list') found.set(value, [])
  }
  return arrange(database, found, ids, order, table)
}

function refusesNoValues(list: string | undefined, { noValues }: Required<Switches>): boolean {
  if (noValues === 'refuse-empty') return list === undefined || list === '' || list === '0'
  return noValues === 'refuse-missing' ? list === undefined : noValues === 'refuse'
}

/** Entries in the order of the rows; those that match nothing come last. */
function arrange(
  database: DatabaseSync,
  found: Map<string, Fields | null | readonly []>,
  ids: ReadonlyMap<string, unknown>,
  order: string,
  table: string,
): Found {
  if (order === '') return found
  if (order === 'ksort') return new Map([...found].sort(([one], [other]) => compareKeys(one, other)))
  const rows = database.prepare(`SELECT id FROM ${table} ORDER BY ${order}, id`).all()
  const places = new Map(rows.map(({ id }, place) => [id, place]))
  const placeOf = (name: string) => places.get(Number(ids.get(name))) ?? Number.MAX_SAFE_INTEGER
  return new Map([...found].sort(([one], [other]) => placeOf(one) - placeOf(other)))
}

/** As PHP 8 compares keys: by number where both are numeric. */
function compareKeys(one: string, other: string): number {
  if (isNumeric(one) && isNumeric(other)) return Number(one) - Number(other)
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function escapeAll(found: Found): Found {
  const escapeFields = (fields: Fields): Fields =>
    fields.map(([field, value]) => [field, typeof value === 'string' ? escapeHtml(value) : value])
  return new Map(
    [...found].map(([name, fields]) => [name, Array.isArray(fields) ? escapeFields(fields) : fields]),
  )
}

/** As htmlspecialchars() does. */
const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;')
