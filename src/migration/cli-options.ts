// The options of the commands for a migration, and how their texts are read. A message of Commander shows the
// text of an option, which must not be a secret.

import { Argument, InvalidArgumentError, Option } from 'commander'
import {
  allowedToIgnore,
  allowedToTolerate,
  contradictionIn,
  type NamedField,
  type Noise,
  readIgnored,
  readTolerated,
  type Tolerance,
} from '../config/noise.ts'
import {
  type OldServiceTarget,
  parseServiceUrl,
  readHeaders,
  type ServiceAddress,
  withLogin,
} from '../config/old-service.ts'
import { UsageError } from '../terminal/command-error.ts'
import { capitalised } from '../text.ts'
import { type HeaderName, headerNames } from './compare/headers.ts'
import { parseRanges } from './copy/id-ranges.ts'
import { describedFormat, PatternError } from './logs/described.ts'
import { readTime } from './logs/time.ts'

/** @param read returns the value of a text, or undefined if the text is not what is allowed */
function option<Value>(
  flags: string,
  description: string,
  allowed: string,
  read: (text: string) => Value | undefined,
): Option {
  return new Option(flags, description).argParser((text) => {
    const value = read(text)
    if (value !== undefined) return value
    throw new InvalidArgumentError(`It must be ${allowed}.`)
  })
}

/** An option that may be given several times. @param read returns the items of one text */
function repeatable<Item>(
  flags: string,
  description: string,
  read: (text: string) => readonly Item[],
): Option {
  return new Option(flags, `${description}; repeatable`).argParser((text, before: readonly Item[] = []) => [
    ...before,
    ...read(text),
  ])
}

const textOf = (text: string) => [text]

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** An option with a list of texts. Help shows the default as an operator writes it. */
function listOption(flags: string, description: string, byDefault: readonly string[] = []): Option {
  return new Option(flags, description)
    .argParser(listOf)
    .default(byDefault, byDefault.length === 0 ? 'none' : byDefault.join())
}

function numberOption(flags: string, description: string, most = Number.MAX_SAFE_INTEGER): Option {
  return option(flags, description, `an integer from 1 to ${most}`, (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
    return number >= 1 && number <= most ? number : undefined
  })
}

/** The rate of requests to a service that has other clients. */
function rateOption(byDefault: number, description = 'requests per second'): Option {
  return option('--rate <number>', description, 'a number above 0, up to 1000', (text) => {
    const rate = Number(text)
    return rate > 0 && rate <= 1000 ? rate : undefined
  }).default(byDefault)
}

export const urlArgument = new Argument('<url>', 'the address of the old service, without a query').argParser(
  (text) => serviceUrl(text, "'***' is invalid for argument 'url'"),
)

/** A required option: the address of a service. */
function urlOption(flags: string, description: string): Option {
  return new Option(flags, description)
    .makeOptionMandatory()
    .argParser((text) => serviceUrl(text, `option '${flags}' argument '***' is invalid`))
}

/** Fails as Commander does, which would show the text: it may have a password. */
export function serviceUrl(text: string, complaint: string): ServiceAddress {
  const address = parseServiceUrl(text)
  if (address !== undefined) return address
  throw new UsageError(`error: ${complaint}. It must be an http(s)://… address, without a query.`)
}

/** Headers of requests to the old service. */
export interface HeaderFlags {
  readonly header?: readonly string[]
  readonly userAgent?: string
}

const headerOptions = [
  repeatable('--header <header>', 'header for requests to the old service, as Name: value', textOf),
  new Option('--user-agent <text>', 'User-Agent for requests to the old service'),
]

/** A service with the headers of its requests. @param option for headers @throws UsageError */
export function serviceWith(
  { url, authorization }: ServiceAddress,
  { header = [], userAgent }: HeaderFlags,
  option = '--header',
): OldServiceTarget {
  const lines = [...header, ...(userAgent === undefined ? [] : [`User-Agent: ${userAgent}`])]
  const nameOf = (at: number) => (at < header.length ? `${option} ${at + 1}` : '--user-agent')
  const own = readHeaders(lines, nameOf)
  if (typeof own === 'string') throw new UsageError(`error: ${own}.`)
  const headers = withLogin(own, authorization)
  if (headers !== null) return { url, headers }
  throw new UsageError(
    `error: the address has a login, and ${option} gives an Authorization. Use one of them.`,
  )
}

/** Differences that do not count. */
export interface NoiseFlags {
  readonly ignore?: readonly NamedField[]
  readonly tolerate?: readonly Tolerance[]
  readonly learn?: boolean
}

/** @throws UsageError */
export function noiseOf({ ignore = [], tolerate = [], learn = false }: NoiseFlags): Noise {
  const contradiction = contradictionIn({ ignore, tolerate })
  if (contradiction !== null) throw new UsageError(`error: ${contradiction}. Give one of the two.`)
  return { ignore, tolerate, learn }
}

function readOrRefuse<Item>(text: string, read: (text: string) => readonly Item[] | string): readonly Item[] {
  const items = read(text)
  if (typeof items === 'string') throw new InvalidArgumentError(`${capitalised(items)}.`)
  return items
}

function headerName(name: string): HeaderName {
  const known = headerNames.find((one) => one.toLowerCase() === name.toLowerCase())
  if (known !== undefined) return known
  throw new InvalidArgumentError(`It must be one of ${headerNames.join(', ')}.`)
}

/** How the lines of a log are read. */
const logOptions = [
  option(
    '--path <path>',
    'paths of the old service in the log, comma-separated',
    'paths such as /lookup.php, without a query',
    (text) => {
      const paths = listOf(text)
      return paths.length > 0 && paths.every((path) => /^\/[^?#]*$/.test(path)) ? text : undefined
    },
  ).default('/'),
  new Option(
    '--format <pattern>',
    "format of the log lines, in variables of nginx's log_format: '$time_iso8601 $remote_addr \"$request\"'",
  ).argParser((text) => {
    try {
      describedFormat(text)
      return text
    } catch (error) {
      if (error instanceof PatternError) throw new InvalidArgumentError(error.message)
      throw error
    }
  }),
]

const reportOptions = (what: string) => [
  new Option('--json <file>', `write the ${what} as JSON`),
  new Option('--html <file>', `write the ${what} as a standalone HTML page`),
]

export const probeOptions: readonly Option[] = [
  listOption('--users <ids>', 'up to three existing user ids, comma-separated', ['1', '2']),
  listOption('--apps <ids>', 'up to three existing app ids, comma-separated; "" for none', ['1']),
  listOption('--chats <identifiers>', 'chat platform identifiers of existing users, comma-separated'),
  listOption('--chat-methods <words>', 'words to try first as the method of the chat platform'),
  ...headerOptions,
  rateOption(5),
  numberOption('--requests <number>', 'send at most this many requests', 10_000).default(180),
  new Option('--write <file>', 'write the dialect to this file (JSON), and say what changed in it'),
  new Option('--against <file>', 'a dialect of an earlier probe: say what changed since'),
  ...reportOptions('report'),
]

export const replayOptions: readonly Option[] = [
  urlOption('--old <url>', 'the address of the old service (required)'),
  urlOption('--new <url>', 'the address of the gateway (required)'),
  ...headerOptions,
  repeatable('--new-header <header>', 'header for requests to the new service, as Name: value', textOf),
  ...logOptions,
  option(
    '--since <time>',
    'send only requests from then on, such as 2026-11-20 or 2026-11-20T08:00:00Z',
    'a date, or a date and a time',
    (text) => readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00:00` : text) ?? undefined,
  ),
  rateOption(20),
  numberOption('--connections <number>', 'concurrent requests to each service', 100).default(4),
  numberOption('--limit <number>', 'send at most this many distinct requests, most frequent first'),
  repeatable('--ignore <fields>', `do not compare the values of ${allowedToIgnore}`, (text) =>
    readOrRefuse(text, readIgnored),
  ),
  repeatable('--tolerate <fields>', allowedToTolerate, (text) => readOrRefuse(text, readTolerated)),
  new Option(
    '--learn',
    'send requests whose responses differ to the old service again, and ignore values that it changes by itself',
  ),
  repeatable(
    '--ignore-header <names>',
    `do not compare these of ${headerNames.join(', ')}, comma-separated`,
    (text) => listOf(text).map(headerName),
  ),
  repeatable(
    '--accept <file>',
    'JSON report of an earlier replay: its causes of differences do not count',
    textOf,
  ),
  new Option('--partial', 'exit with status 0 even if not all of the log could be read and compared'),
  new Option('--state <file>', 'file that stores progress, to resume from').default('lookup-replay.state'),
  ...reportOptions('report'),
]

export const censusOptions: readonly Option[] = [
  ...logOptions,
  new Option('--show-addresses', 'show client addresses instead of hashes'),
  ...reportOptions('census'),
]

/** Options of `lookup import` that apply to an old service only, not to a file. */
export const copyOptions: readonly Option[] = [
  option(
    '--ids <ranges>',
    'old service only, with its address as FILE: ids to copy, such as 1-200000 or 1,5,10-20',
    'ids and ranges, such as 1-200000 or 1,5,10-20',
    (text) => parseRanges(text) ?? undefined,
  ),
  ...headerOptions,
  rateOption(5, 'old service only: calls per second'),
  new Option(
    '--state <file>',
    'old service only: file that stores progress, to resume from (default: lookup-import-users.state or lookup-import-apps.state)',
  ),
]
