// The commands for a migration: probe, replay and census, and import from an old service.

import type { Command, Option } from 'commander'
import { commandSources, readConfig } from '../config/config.ts'
import type { ServiceAddress } from '../config/old-service.ts'
import type { ImportFlags } from '../data/import/command.ts'
import type { Relation } from '../data/relation.ts'
import { readCommandConfig } from '../terminal/command-config.ts'
import { UsageError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CensusCommand } from './census/command.ts'
import {
  censusOptions,
  copyOptions,
  type HeaderFlags,
  type NoiseFlags,
  noiseOf,
  probeOptions,
  replayOptions,
  serviceUrl,
  serviceWith,
  urlArgument,
} from './cli-options.ts'
import type { CopyFlags } from './copy/command.ts'
import type { ProbeCommand } from './probe/command.ts'
import type { ReplayCommand } from './replay/command.ts'

interface FileFlags extends ImportFlags {
  readonly database?: string
}

interface CopyingFlags extends FileFlags, Partial<CopyFlags>, HeaderFlags {}

interface ReplayFlags extends Omit<ReplayCommand, 'logs' | 'old' | 'new' | 'noise'>, HeaderFlags, NoiseFlags {
  readonly old: ServiceAddress
  readonly new: ServiceAddress
  readonly newHeader?: readonly string[]
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

const logHelp = 'access logs in any common format, also compressed (gzip, zstd); - for standard input'

export function addCommands(host: CommandHost): void {
  const { program, terminal, setStatus } = host
  addCopying(host)

  const probe = program
    .command('probe')
    .description('find out how an old service behaves, and write the dialect that reproduces it')
    .addArgument(urlArgument)
    .action(async (address: ServiceAddress, flags: Omit<ProbeCommand, 'old'> & HeaderFlags) => {
      const old = serviceWith(address, flags)
      const { runProbe } = await import('./probe/command.ts')
      await runProbe(terminal, readCommandConfig(terminal), { ...flags, old }, setStatus)
    })
  addOptions(probe, probeOptions)

  const replay = program
    .command('replay')
    .description('send the requests of access logs to both services, and compare the responses')
    .argument('<log...>', logHelp)
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
  addOptions(replay, replayOptions)

  const census = program
    .command('census')
    .description('show who still calls the legacy interface, from access logs')
    .argument('<log...>', logHelp)
    .action(async (logs: string[], flags: Omit<CensusCommand, 'logs'>) => {
      const { runCensus } = await import('./census/command.ts')
      await runCensus(terminal, readCommandConfig(terminal), { ...flags, logs }, setStatus)
    })
  addOptions(census, censusOptions)
}

function addOptions(command: Command, options: readonly Option[]): void {
  for (const option of options) command.addOption(option)
}

/** Options of `lookup import` that an old service has no use for. */
const fileOptions: readonly string[] = ['--format', '--delimiter', '--ignore-columns']

/** `lookup import` copies from an old service, if its file is an address. */
function addCopying({ program, terminal, importFromFile }: CommandHost): void {
  const command = program.commands.find((command) => command.name() === 'import')
  if (command === undefined) return
  addOptions(command, copyOptions)
  command
    .description('fill the database from a CSV (with a header) or JSON Lines file, or from an old service')
    .action((name: Relation['name'], source: string, flags: CopyingFlags) => {
      const isOld = /^https?:/i.test(source)
      const given = command.options.find(
        (option) =>
          (isOld ? fileOptions.includes(option.long ?? '') : copyOptions.includes(option)) &&
          command.getOptionValueSource(option.attributeName()) === 'cli',
      )
      if (given === undefined)
        return isOld ? copy(terminal, name, source, flags) : importFromFile(terminal, name, source, flags)
      throw new UsageError(
        isOld
          ? `${given.long} is for files. Leave it out for an old service.`
          : `${given.long} is for copies from an old service, and ${source} is not its address. Write it with http:// or https://, or leave ${given.long} out.`,
      )
    })
}

async function copy(
  terminal: Terminal,
  name: Relation['name'],
  source: string,
  flags: CopyingFlags,
): Promise<void> {
  const config = readCommandConfig(terminal, flags.database)
  const service = serviceWith(serviceUrl(source, "'***' is invalid for argument 'file'"), flags)
  // DATABASE_HEADERS may be for another service: only the headers of the command are sent.
  const old = readConfig(commandSources({ DATABASE_URL: service.url }, terminal.env)).database
  const { ids, rate } = flags
  if (old.kind !== 'old-service' || ids === undefined || rate === undefined)
    throw new UsageError('Add the ids to copy, such as --ids 1-200000.')
  const { relations } = await import('../data/relations.ts')
  const { runImportFromOld } = await import('./copy/command.ts')
  await runImportFromOld(terminal, config, relations[name], { ...old, ...service }, { ...flags, ids, rate })
}
