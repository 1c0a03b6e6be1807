// The commands for a migration: probe, replay and census, and import from an old service.

import type { Command } from 'commander'
import { commandSources, readConfig } from '../config/config.ts'
import type { ServiceAddress } from '../config/old-service.ts'
import type { ImportFlags } from '../data/import/command.ts'
import type { Relation } from '../data/relation.ts'
import { readCommandConfig } from '../terminal/command-config.ts'
import { UsageError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CensusRequest } from './census/command.ts'
import {
  acceptOption,
  formatOption,
  type HeaderFlags,
  headerOptions,
  idRanges,
  ignoreHeaderOption,
  listOption,
  logHelp,
  type NoiseFlags,
  newHeaderOption,
  noiseOf,
  noiseOptions,
  numberOption,
  pathOption,
  rateOption,
  serviceUrl,
  serviceWith,
  sinceOption,
  urlArgument,
  urlOption,
} from './cli-options.ts'
import type { CopyFlags } from './copy/command.ts'
import type { ProbeRequest } from './probe/command.ts'
import type { ReplayRequest } from './replay/command.ts'

interface FileFlags extends ImportFlags {
  readonly database?: string
}

/** The parts of the program that these commands extend. */
interface CommandHost {
  readonly program: Command
  readonly terminal: Terminal
  /** `lookup import` of a file. */
  readonly importFromFile: (
    terminal: Terminal,
    name: Relation['name'],
    file: string,
    flags: FileFlags,
  ) => Promise<void>
  /** Sets the exit status, if it is neither that of success nor of an error. */
  readonly setStatus: (status: number) => void
}

export function addCommands(host: CommandHost): void {
  const { program, terminal, setStatus } = host
  addCopying(host)

  program
    .command('probe')
    .description('find out how an old service behaves, and write the dialect that reproduces it')
    .addArgument(urlArgument)
    .addOption(listOption('--users <ids>', 'up to three existing user ids, comma-separated', ['1', '2']))
    .addOption(
      listOption('--apps <ids>', 'up to three existing app ids, comma-separated; "" for none', ['1']),
    )
    .addOption(
      listOption('--chats <identifiers>', 'chat platform identifiers of existing users, comma-separated'),
    )
    .addOption(listOption('--chat-methods <words>', 'words to try first as the method of the chat platform'))
    .addOption(headerOptions.header)
    .addOption(headerOptions.userAgent)
    .addOption(rateOption(5))
    .addOption(numberOption('--requests <number>', 'send at most this many requests', 10_000).default(180))
    .option('--write <file>', 'write the dialect to this file (JSON), and say what changed in it')
    .option('--against <file>', 'a dialect of an earlier probe: say what changed since')
    .option('--json <file>', 'write the report as JSON')
    .option('--html <file>', 'write the report as a standalone HTML page')
    .action(async (address: ServiceAddress, flags: Omit<ProbeRequest, 'old'> & HeaderFlags) => {
      const old = serviceWith(address, flags)
      const { runProbe } = await import('./probe/command.ts')
      await runProbe(terminal, readCommandConfig(terminal), { ...flags, old }, setStatus)
    })

  program
    .command('replay')
    .description('send the requests of access logs to both services, and compare the responses')
    .argument('<log...>', logHelp)
    .addOption(urlOption('--old <url>', 'the address of the old service (required)'))
    .addOption(urlOption('--new <url>', 'the address of the gateway (required)'))
    .addOption(headerOptions.header)
    .addOption(headerOptions.userAgent)
    .addOption(newHeaderOption)
    .addOption(pathOption)
    .addOption(formatOption)
    .addOption(sinceOption)
    .addOption(rateOption(20))
    .addOption(numberOption('--connections <number>', 'concurrent requests to each service', 100).default(4))
    .addOption(
      numberOption('--limit <number>', 'send at most this many distinct requests, most frequent first'),
    )
    .addOption(noiseOptions.ignore)
    .addOption(noiseOptions.tolerate)
    .addOption(noiseOptions.learn)
    .addOption(ignoreHeaderOption)
    .addOption(acceptOption)
    .option('--partial', 'exit with status 0 even if not all of the log could be read and compared')
    .option('--state <file>', 'file that stores progress, to resume from', 'lookup-replay.state')
    .option('--json <file>', 'write the report as JSON')
    .option('--html <file>', 'write the report as a standalone HTML page')
    .action(async (logs: string[], flags: ReplayFlags) => {
      const noise = noiseOf(flags)
      if (flags.old.url === flags.new.url)
        throw new UsageError(
          `error: --old and --new are both ${flags.new.url}. Give the address of the gateway to --new.`,
        )
      const services = {
        old: serviceWith(flags.old, flags),
        new: serviceWith(flags.new, { header: flags.newHeader ?? [] }, '--new-header'),
      }
      const { runReplayCommand } = await import('./replay/command.ts')
      const config = readCommandConfig(terminal)
      await runReplayCommand(terminal, config, { ...flags, ...services, logs, noise }, setStatus)
    })

  program
    .command('census')
    .description('show who still calls the legacy interface, from access logs')
    .argument('<log...>', logHelp)
    .addOption(pathOption)
    .addOption(formatOption)
    .option('--show-addresses', 'show client addresses instead of hashes')
    .option('--json <file>', 'write the census as JSON')
    .option('--html <file>', 'write the census as a standalone HTML page')
    .action(async (logs: string[], flags: Omit<CensusRequest, 'logs'>) => {
      const { runCensus } = await import('./census/command.ts')
      await runCensus(terminal, readCommandConfig(terminal), { ...flags, logs }, setStatus)
    })
}

interface ReplayFlags extends Omit<ReplayRequest, 'logs' | 'old' | 'new' | 'noise'>, HeaderFlags, NoiseFlags {
  readonly old: ServiceAddress
  readonly new: ServiceAddress
  readonly newHeader?: readonly string[]
}

/** Options that an import from a file would ignore. */
const optionsOfCopies: readonly string[] = ['ids', 'header', 'userAgent', 'rate', 'state']

/** `lookup import` copies from an old service, if its file is an address. */
function addCopying({ program, terminal, importFromFile }: CommandHost): void {
  program.commands
    .find((command) => command.name() === 'import')
    ?.description('fill the database from a CSV (with a header) or JSON Lines file, or from an old service')
    .option(
      '--ids <ranges>',
      'old service only, with its address as FILE: ids to copy, such as 1-200000 or 1,5,10-20',
      idRanges,
    )
    .addOption(headerOptions.header)
    .addOption(headerOptions.userAgent)
    .addOption(rateOption(5, 'old service only: calls per second'))
    .option(
      '--state <file>',
      'old service only: file that stores progress, to resume from (default: lookup-import-users.state or lookup-import-apps.state)',
    )
    .action((name: Relation['name'], source: string, flags: CopyingFlags, command: Command) => {
      if (/^https?:/i.test(source)) return copy(terminal, name, source, flags)
      const given = command.options.find(
        (option) =>
          optionsOfCopies.includes(option.attributeName()) &&
          command.getOptionValueSource(option.attributeName()) === 'cli',
      )
      if (given === undefined) return importFromFile(terminal, name, source, flags)
      throw new UsageError(
        `${given.long} is for copies from an old service, and ${source} is not its address. Write it with http:// or https://, or leave ${given.long} out.`,
      )
    })
}

interface CopyingFlags extends FileFlags, Partial<CopyFlags>, HeaderFlags {}

async function copy(
  terminal: Terminal,
  name: Relation['name'],
  source: string,
  flags: CopyingFlags,
): Promise<void> {
  const config = readCommandConfig(terminal, flags.database)
  const address = serviceUrl(source, "'***' is invalid for argument 'file'")
  const service = serviceWith(address, flags)
  // DATABASE_HEADERS may be for another service: only the headers of the command are sent.
  const old = readConfig(commandSources({ DATABASE_URL: service.url }, terminal.env)).database
  const { ids, rate } = flags
  const forFiles = (['format', 'delimiter', 'ignoreColumns'] as const).find(
    (name) => flags[name] !== undefined,
  )
  if (forFiles !== undefined) {
    const flag = forFiles === 'ignoreColumns' ? 'ignore-columns' : forFiles
    throw new UsageError(`--${flag} is for files. Leave it out for an old service.`)
  }
  if (old.kind !== 'old-service' || ids === undefined || rate === undefined)
    throw new UsageError('Add the ids to copy, such as --ids 1-200000.')
  const { relations } = await import('../data/relations.ts')
  const { runImportFromOld } = await import('./copy/command.ts')
  await runImportFromOld(terminal, config, relations[name], { ...old, ...service }, { ...flags, ids, rate })
}
