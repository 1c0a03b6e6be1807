// Options and arguments that several of these commands have, and how their texts are read.

import { Argument, InvalidArgumentError, Option } from 'commander'
import { isServiceUrl } from '../settings.ts'
import { parseRanges, type Ranges } from './copy/id-ranges.ts'

export const urlArgument = new Argument('<url>', 'the address of the old service, without a query').argParser(
  serviceUrl,
)

export const logHelp =
  'access logs (common or combined format, or one target a line), gzip too; - for standard input'
export const pathOption = new Option(
  '--path <path>',
  'where the old service is on the server whose log it is',
).default('/')

export function serviceUrl(text: string): string {
  if (!isServiceUrl(text))
    throw new InvalidArgumentError('It must be an http(s)://… address, without a query.')
  return text
}

export function idRanges(text: string): Ranges {
  const read = parseRanges(text)
  if (read === null)
    throw new InvalidArgumentError('It must be ids and ranges of them, such as 1-200000 or 1,5,10-20.')
  return read
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** How many requests a second are sent to a service that has others to answer. */
export function rateOption(byDefault: number, description = 'requests per second'): Option {
  return new Option('--rate <number>', description).default(byDefault).argParser((text) => {
    const rate = Number(text)
    if (!(rate > 0 && rate <= 1000)) throw new InvalidArgumentError('It must be a number up to 1000.')
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
