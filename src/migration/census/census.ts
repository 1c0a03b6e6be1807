// Who still calls the legacy interface, and for what: by access logs, and by what gateways have counted.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { networkOf } from '../../gateway/http/client-address.ts'
import { ownCopy } from '../../text.ts'
import type { LoggedRequest } from '../access-log/line.ts'
import { readLookups } from '../access-log/lookups.ts'
import { createTally } from '../access-log/tally.ts'
import { listOf } from '../cli-options.ts'
import { createAskedTable } from './asked.ts'
import { createAskedReader } from './asked-reader.ts'
import { CensusFileError, kindOf } from './census-file.ts'
import { addCensusFile } from './file-tally.ts'
import { createHash } from './hash.ts'
import { type Key, keyFileOf, readKey } from './key-file.ts'
import { MAX_REFERER_LENGTH, originOf } from './origin.ts'
import { type Census, reportOf } from './report.ts'
import { Tally } from './tally.ts'
import { agentOf, MAX_AGENT_LENGTH } from './user-agent.ts'

/** Characters of an address that are read: a host's name may stand there instead. */
const MAX_ADDRESS_LENGTH = 100
/** Names and addresses that are not read again. */
const MAX_REMEMBERED = 20_000

interface CensusOptions {
  /** Access logs, and files that gateways have made (CENSUS_FILE). */
  readonly logs: readonly string[]
  /** Where the legacy interface is, on the server whose log it is. */
  readonly path: string
  /** How the operator describes its lines. */
  readonly format?: string | undefined
  /** By which requests are read; and the key of a census file, where it is not beside that. */
  readonly config: Pick<Config, 'dialect' | 'census'>
  /** Whether addresses are shown as they are. Otherwise they are hashed. */
  readonly showAddresses: boolean
  readonly signal: AbortSignal
  /** Is told the bytes and the lines read so far. */
  readonly onProgress: (bytes: number, lines: number) => void
  /** Is told what an operator has to know meanwhile. */
  readonly say: (message: string) => void
}

/** Takes a census, in memory that does not grow with the log. @throws LogError */
export async function takeCensus({
  logs,
  path,
  format,
  config,
  showAddresses,
  signal,
  onProgress,
  say,
}: CensusOptions): Promise<Census> {
  const tally = new Tally()
  const keepAsked = createAskedTable()
  const askedOf = createAskedReader(config.dialect, keepAsked)
  const count = createLogCounter(tally)
  const paths = listOf(path)
  const files = logs.filter((file) => file !== '-' && isCensusFile(file))
  const others = logs.filter((file) => !files.includes(file))
  const keyIds = new Set(files.flatMap((file) => addCensusFile(file, tally, keepAsked)))
  const lines = createTally()
  await readLookups(
    { files: others, paths, format, signal, onProgress, say },
    lines,
    ({ query, posted }, logged) => {
      const asked = askedOf(query)
      // Whatever it asks for, the gateway answers no POST.
      count(logged, posted ? keepAsked({ ...asked, problem: 'MethodNotAllowed' }) : asked)
    },
  )
  const key = files.map((file) => findKey(config.census.keyFile ?? keyFileOf(file), keyIds)).find(Boolean)
  const shown = showAddresses ? (address: string) => address : createHash(key?.text ?? randomBytes(32))
  const log = lines.summary()
  const read = {
    ...{ logs, complete: !signal.aborted, lines: log.lines, log, paths },
    ...{ censusFiles: files.length, keys: keyIds.size },
  }
  return reportOf(tally, read, shown)
}

/** @returns counts a request for its client */
function createLogCounter(tally: Tally): (logged: LoggedRequest, asked: Parameters<Tally['add']>[3]) => void {
  const agents = remembering(agentOf, MAX_AGENT_LENGTH)
  const origins = remembering(originOf, MAX_REFERER_LENGTH)
  const networks = remembering(
    (text) => (isIP(text) === 6 ? (networkOf(text) ?? text) : ownCopy(text)),
    MAX_ADDRESS_LENGTH,
  )
  const addressOf = (text: string) =>
    text.length > MAX_ADDRESS_LENGTH || text.includes(':') ? networks(text) : text
  return ({ address, userAgent, referer, time }, asked) => {
    const origin = referer === '' ? '' : origins(referer)
    tally.add(addressOf(address), agents(userAgent), origin, asked, time)
  }
}

/** What is made of texts of which no more than a beginning is read; the same few come again and again. */
function remembering<Result>(make: (text: string) => Result, length: number): (text: string) => Result {
  const remembered = new Map<string, Result>()
  return (text) => {
    const read = text.length > length ? text.slice(0, length) : text
    const known = remembered.get(read)
    if (known !== undefined) return known
    const result = make(read)
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(ownCopy(read), result)
    return result
  }
}

/** @throws CensusFileError for a database that is none */
function isCensusFile(file: string): boolean {
  const kind = kindOf(file)
  if (kind === 'another database')
    throw new CensusFileError(
      `${file} is a database, but not a census file. Give access logs, or files of CENSUS_FILE.`,
    )
  return kind === 'census'
}

/** The key of these files, so that a client that stands in a log, too, is the same one. */
function findKey(path: string, ids: ReadonlySet<string>): Key | null {
  if (!existsSync(path)) return null
  const key = readKey(path)
  return ids.has(key.id) ? key : null
}
