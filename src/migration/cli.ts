// The commands that lead out of an old service.

import type { Command } from 'commander'
import { type Config, processSources, readConfig } from '../config.ts'
import type { ImportFlags } from '../data/import/command.ts'
import type { Relation } from '../data/relation.ts'
import { isServiceUrl } from '../settings.ts'
import { readCommandConfig } from '../terminal/command-config.ts'
import { CommandError } from '../terminal/command-error.ts'
import type { CensusRequest } from './census/command.ts'
import {
  idRanges,
  listOf,
  logHelp,
  numberOption,
  pathOption,
  rateOption,
  serviceUrl,
  urlArgument,
} from './cli-options.ts'
import type { CopyFlags } from './copy/command.ts'
import type { Advice } from './probe/advice.ts'
import type { ProbeRequest } from './probe/command.ts'
import type { ReplayRequest } from './replay/command.ts'

/** @param setStatus is told the exit status of those that have one to tell */
export function addMigrationCommands(program: Command, setStatus: (status: number) => void): void {
  addCopying(program)

  program
    .command('probe')
    .description('find out how an old service behaves, and the settings that make the gateway answer alike')
    .addArgument(urlArgument)
    .option('--users <ids>', 'up to three existing user ids, comma-separated', listOf, ['1', '2'])
    .option('--apps <ids>', 'up to three existing app ids, comma-separated; "" for none', listOf, ['1'])
    .option(
      '--chats <identifiers>',
      'chat platform identifiers of existing users, comma-separated',
      listOf,
      [],
    )
    .option(
      '--chat-methods <words>',
      'words to try first as the method value of the chat platform',
      listOf,
      [],
    )
    .addOption(rateOption(5))
    .option('--write <file>', 'put the settings into this file, such as .env; its other lines stay')
    .action(async (url: string, flags: Omit<ProbeRequest, 'url'>) => {
      const { runProbe } = await import('./probe/command.ts')
      const sources = processSources({})
      const configWith = (advice: Advice) => readConfig({ ...sources, flags: advice })
      const inEnvironment = (name: string) => Boolean(sources.environment?.[name])
      await runProbe({ configWith, inEnvironment }, { ...flags, url })
    })

  program
    .command('replay')
    .description('send the requests of an access log to both services, and compare what they answer')
    .argument('<log...>', logHelp)
    .requiredOption('--old <url>', 'the address of the old service', serviceUrl)
    .requiredOption('--new <url>', 'the address of the gateway', serviceUrl)
    .addOption(pathOption)
    .addOption(rateOption(20))
    .addOption(
      numberOption('--connections <number>', 'requests under way at a time, to each', 100).default(4),
    )
    .addOption(
      numberOption('--limit <number>', 'send at most this many distinct requests, most frequent first'),
    )
    .option('--state <file>', 'file that stores progress, to resume from', 'lookup-replay.state')
    .option('--json <file>', 'write the report as JSON')
    .option('--html <file>', 'write the report as a standalone HTML page')
    .action(async (logs: string[], flags: Omit<ReplayRequest, 'logs'>) => {
      const { runReplayCommand } = await import('./replay/command.ts')
      await runReplayCommand({ ...flags, logs }, setStatus)
    })

  program
    .command('census')
    .description('show who still calls the legacy interface, by an access log')
    .argument('<log...>', logHelp)
    .addOption(pathOption)
    .option('--show-addresses', 'client addresses as they are, rather than hashed')
    .option('--json <file>', 'write the census as JSON')
    .option('--html <file>', 'write the census as a standalone HTML page')
    .action(async (logs: string[], flags: Omit<CensusRequest, 'logs'>) => {
      const { runCensus } = await import('./census/command.ts')
      await runCensus({ ...flags, logs }, setStatus)
    })
}

/** `lookup import` copies from an old service, too: where its file is an address. */
function addCopying({ commands }: Command): void {
  commands
    .find((command) => command.name() === 'import')
    ?.description('fill the database from a CSV (with a header) or JSON Lines file, or from an old service')
    .option('--ids <ranges>', 'of an old service: the ids to copy, such as 1-200000 or 1,5,10-20', idRanges)
    .addOption(rateOption(5, 'of an old service: calls a second'))
    .option(
      '--state <file>',
      'of an old service: file that stores progress, to resume from',
      'lookup-import.state',
    )
    .action(async (name: 'users' | 'apps', source: string, flags: ImportFlags & CopyingFlags) => {
      const { relations } = await import('../data/relations.ts')
      const config = readCommandConfig(flags.database)
      if (/^https?:/i.test(source)) await copy(config, relations[name], source, flags)
      else await (await import('../data/import/command.ts')).runImport(config, relations[name], source, flags)
    })
}

interface CopyingFlags extends Partial<CopyFlags> {
  readonly database?: string
}

async function copy(
  config: Config,
  relation: Relation,
  url: string,
  flags: ImportFlags & CopyingFlags,
): Promise<void> {
  if (!isServiceUrl(url))
    throw new CommandError(`${url} cannot be asked: an address without a query, a login or a # is wanted.`)
  const old = readConfig(processSources({ DATABASE_URL: url })).database
  const { ids, rate, state } = flags
  if (old.kind !== 'old-service' || ids === undefined || rate === undefined || state === undefined)
    throw new CommandError('Say which ids to copy, such as --ids 1-200000.')
  const { runImportFromOld } = await import('./copy/command.ts')
  await runImportFromOld(config, relation, old, { ...flags, ids, rate, state })
}
