// The options and arguments of the commands for a migration, and how their texts are read. A message of
// Commander shows the text of an option, which must not be a secret.

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
import { type IdRanges, parseRanges } from './copy/id-ranges.ts'
import { describedFormat, PatternError } from './logs/pattern.ts'
import { readTime } from './logs/time.ts'

export const urlArgument = new Argument('<url>', 'the address of the old service, without a query').argParser(
  (text) => serviceUrl(text, "'***' is invalid for argument 'url'"),
)

/** A required option: the address of a service. */
export function urlOption(flags: string, description: string): Option {
  const option = new Option(flags, description).makeOptionMandatory()
  return option.argParser((text) => serviceUrl(text, `option '${flags}' argument '***' is invalid`))
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

export const logHelp = 'access logs in any common format, also compressed (gzip, zstd); - for standard input'
export const formatOption = new Option(
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
})
export const pathOption = new Option('--path <path>', 'paths of the old service in the log, comma-separated')
  .default('/')
  .argParser((text) => {
    const paths = listOf(text)
    if (paths.length === 0 || paths.some((path) => !/^\/[^?#]*$/.test(path)))
      throw new InvalidArgumentError('It must be paths such as /lookup.php, without a query.')
    return text
  })

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

export const headerOptions = {
  header: repeatable('--header <header>', 'header for requests to the old service, as Name: value', textOf),
  userAgent: new Option('--user-agent <text>', 'User-Agent for requests to the old service'),
}

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

export const newHeaderOption = repeatable(
  '--new-header <header>',
  'header for requests to the new service, as Name: value',
  textOf,
)

export const ignoreHeaderOption = repeatable(
  '--ignore-header <names>',
  `do not compare these of ${headerNames.join(', ')}, comma-separated`,
  (text): HeaderName[] =>
    listOf(text).map((name) => {
      const known = headerNames.find((one) => one.toLowerCase() === name.toLowerCase())
      if (known !== undefined) return known
      throw new InvalidArgumentError(`It must be one of ${headerNames.join(', ')}.`)
    }),
)

export const acceptOption = repeatable(
  '--accept <file>',
  'JSON report of an earlier replay: its causes of differences do not count',
  textOf,
)

function textOf(text: string): string[] {
  return [text]
}

export const sinceOption = new Option(
  '--since <time>',
  'send only requests from then on, such as 2026-11-20 or 2026-11-20T08:00:00Z',
).argParser((text) => {
  const time = readTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00:00` : text)
  if (time === null) throw new InvalidArgumentError('It must be a date, or a date and a time.')
  return time
})

/** Differences that do not count. */
export interface NoiseFlags {
  readonly ignore?: readonly NamedField[]
  readonly tolerate?: readonly Tolerance[]
  readonly learn?: boolean
}

export const noiseOptions = {
  ignore: repeatable('--ignore <fields>', `do not compare the values of ${allowedToIgnore}`, (text) =>
    readOrRefuse(text, readIgnored),
  ),
  tolerate: repeatable('--tolerate <fields>', allowedToTolerate, (text) => readOrRefuse(text, readTolerated)),
  learn: new Option(
    '--learn',
    'send requests whose responses differ to the old service again, and ignore values that it changes by itself',
  ),
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

export function idRanges(text: string): IdRanges {
  const read = parseRanges(text)
  if (read === null)
    throw new InvalidArgumentError('It must be ids and ranges, such as 1-200000 or 1,5,10-20.')
  return read
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** An option with a list of texts. Help shows the default as an operator writes it. */
export function listOption(flags: string, description: string, byDefault: readonly string[] = []): Option {
  return new Option(flags, description)
    .argParser(listOf)
    .default(byDefault, byDefault.length === 0 ? 'none' : byDefault.join())
}

/** The rate of requests to a service that has other clients. */
export function rateOption(byDefault: number, description = 'requests per second'): Option {
  return new Option('--rate <number>', description).default(byDefault).argParser((text) => {
    const rate = Number(text)
    if (!(rate > 0 && rate <= 1000))
      throw new InvalidArgumentError('It must be a number above 0, up to 1000.')
    return rate
  })
}

export function numberOption(flags: string, description: string, most = Number.MAX_SAFE_INTEGER): Option {
  return new Option(flags, description).argParser((text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
    if (number < 1 || number > most)
      throw new InvalidArgumentError(`It must be an integer from 1 to ${most}.`)
    return number
  })
}
