// The table of commands of `lookup`: their arguments, their help, and the module that runs each. Flags and
// exit statuses are documented in docs/operate.md, and scripts of operators depend on them.

import { Argument, Command, CommanderError, Option } from 'commander'
import about from '../package.json' with { type: 'json' }
import { ConfigError, commandSources, printConfig, readConfig } from './config/config.ts'
import { table } from './config/settings.ts'
import { type ContractName, contractNames } from './contracts/index.ts'
import type { ImportFlags } from './data/import/command.ts'
import type { Relation } from './data/relation.ts'
import { printWarnings, readCommandConfig } from './terminal/command-config.ts'
import { CommandError, InterruptError, USAGE_STATUS, UsageError } from './terminal/command-error.ts'
import type { Terminal } from './terminal/terminal.ts'
import { messageOf } from './text.ts'
import type { ViewsFlags } from './views/command.ts'
import { names as forumNames, type ProgramName } from './views/program.ts'

interface DatabaseFlags {
  readonly database?: string
}

interface ServeFlags extends DatabaseFlags {
  readonly port?: string
  readonly host?: string
  readonly workers?: string
  readonly printConfig?: true
}

const afterHelp = `
Settings come from flags, then the environment, then .env; see docs/settings.md.

Exit status:
  0         done
  1         failed; or check found faults, replay differences, or schema --check stale files
  2         wrong arguments or settings: nothing was done
  130, 143  interrupted by Ctrl+C or SIGTERM`

/**
 * Runs a command of `lookup`.
 * @param argv its name and its arguments
 * @returns its exit status, or the signal that has ended it
 */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number | NodeJS.Signals> {
  const failures: NodeJS.ErrnoException[] = []
  const noteFailure = (error: NodeJS.ErrnoException) => failures.push(error)
  terminal.stdout.on('error', noteFailure)
  try {
    if (terminal.cwd !== undefined) process.chdir(terminal.cwd)
    const status = await run(argv, terminal).catch((error: NodeJS.ErrnoException) => {
      // The command waited until its output was read.
      if (failures.includes(error)) return 0
      throw error
    })
    // EPIPE: the reader has seen enough, as in `lookup export users | head`.
    const failure = failures.find(({ code }) => code !== 'EPIPE')
    if (failure !== undefined) throw new CommandError(`Cannot write the output: ${failure.message}`)
    return status
  } catch (error) {
    // Commander has written its own message.
    if (!(error instanceof CommanderError)) terminal.stderr.write(`${messageFor(error)}\n`)
    return error instanceof InterruptError ? error.signal : statusFor(error)
  } finally {
    terminal.stdout.off('error', noteFailure)
  }
}

/** The functions of this file that further commands use. */
interface CommandContext {
  readonly program: Command
  readonly terminal: Terminal
  readonly importFromFile: typeof importFromFile
  /** Sets the exit status of a command that has one of its own. */
  readonly setStatus: (status: number) => void
}

/** Further commands; a start of the gateway loads none of them. */
const extensions: readonly (() => Promise<{ addCommands: (extended: CommandContext) => void }>)[] = [
  // To delete src/migration, delete this line.
  () => import('./migration/cli.ts'),
]

/** @returns the exit status */
async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  let status = 0
  const setStatus = (own: number) => {
    status = own
  }
  const program = createProgram(terminal, setStatus)
  for (const load of argv[0] === 'serve' ? [] : extensions)
    (await load()).addCommands({ program, terminal, importFromFile, setStatus })
  await program.parseAsync(argv, { from: 'user' })
  return status
}

function createProgram(terminal: Terminal, setStatus: (status: number) => void): Command {
  const { stdout, stderr, env } = terminal
  const databaseOption = new Option('--database <url>', `${table.database.url.purpose} (DATABASE_URL)`)
  const relationArgument = new Argument('<relation>', 'the table').choices(['users', 'apps'])
  const program = new Command('lookup')
    .description('Answers the legacy lookup interface from a GraphQL schema.')
    .addHelpText('after', afterHelp)
    .version(about.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // The value of a misspelt --header may be a secret.
      outputError: (text, write) => write(text.replace(/(unknown option '--[\w-]+=).*'/s, "$1***'")),
    })
    .configureHelp({ showGlobalOptions: true })

  program
    .command('serve')
    .description('run the gateway')
    .option('--port <number>', table.port.purpose)
    .option('--host <address>', table.host.purpose)
    .option('--workers <number>', table.workers.purpose)
    .addOption(databaseOption)
    .option('--print-config', 'print the settings in force, and where each comes from')
    .action(async ({ port, host, workers, database, printConfig: printing }: ServeFlags) => {
      const flags = { PORT: port, HOST: host, WORKERS: workers, DATABASE_URL: database }
      const read = () => readConfig(commandSources(flags, env))
      const config = read()
      if (printing) {
        stdout.write(printConfig(commandSources(flags, env)))
        printWarnings(config, terminal)
      } else {
        const { runServe } = await import('./cluster/serve.ts')
        await runServe(terminal, config, read)
      }
    })

  program
    .command('import')
    .description('fill the database from a CSV (with a header) or JSON Lines file')
    .addArgument(relationArgument)
    .argument('<file>', 'a path, - for standard input, or the address of an old service')
    .addOption(
      new Option(
        '--format <format>',
        'format of the file, if its name does not end in .csv, .tsv, .jsonl, .ndjson or .json',
      ).choices(['csv', 'jsonl']),
    )
    .option('--replace', 'replace all existing rows')
    .option(
      '--skip-invalid <rejects>',
      'write invalid rows to this file, with the reason, and import the rest',
    )
    .option('--delimiter <character>', 'what separates the cells of CSV (default: as the header shows)')
    .option('--ignore-columns [names]', 'ignore these columns of the file, or all that are unknown')
    .addOption(databaseOption)
    .action((name: Relation['name'], file: string, flags: ImportFlags & DatabaseFlags) =>
      importFromFile(terminal, name, file, flags),
    )

  program
    .command('export')
    .description('write users or apps to standard output as JSON Lines')
    .addArgument(relationArgument)
    .addOption(databaseOption)
    .action(async (name: Relation['name'], flags: DatabaseFlags) => {
      const { relations } = await import('./data/relations.ts')
      const { runExport } = await import('./data/export/command.ts')
      await runExport(terminal, readCommandConfig(terminal, flags.database), relations[name])
    })

  program
    .command('migrate')
    .description('create missing tables')
    .addOption(databaseOption)
    .action(async (flags: DatabaseFlags) => {
      const { runMigrate } = await import('./stores/migrate.ts')
      await runMigrate(terminal, readCommandConfig(terminal, flags.database))
    })

  program
    .command('check')
    .description('look for faults in tables or views of your own: slow lookups, bad rows, rights')
    .addOption(databaseOption)
    .action(async (flags: DatabaseFlags) => {
      const { runCheck } = await import('./stores/check/check.ts')
      setStatus(await runCheck(terminal, readCommandConfig(terminal, flags.database)))
    })

  program
    .command('views')
    .description('print the views over the tables of a forum program, or make them')
    .addArgument(new Argument('<name>', 'the program').choices(forumNames))
    .option('--prefix <prefix>', 'the prefix of its tables, if it is not the usual one')
    .option('--chat <source>', 'where chat identifiers are, such as the name of a profile field')
    .option('--apply', 'make the views and the indexes that they need')
    .addOption(databaseOption)
    .action(async (name: ProgramName, flags: ViewsFlags & DatabaseFlags) => {
      const { runViews } = await import('./views/command.ts')
      await runViews(terminal, readCommandConfig(terminal, flags.database), name, flags)
    })

  program
    .command('schema')
    .description('print, check or write the published contracts')
    .addArgument(new Argument('[contract]', 'the one to print').choices(contractNames))
    .option('--check', 'exit with 1 when a file under schema/ is stale')
    .option('--write', 'write the files under schema/')
    .action(async (contract: ContractName | undefined, flags: { check?: true; write?: true }) => {
      const { runSchema } = await import('./contracts/command.ts')
      runSchema(terminal, contract, flags)
    })
  return program
}

async function importFromFile(
  terminal: Terminal,
  name: Relation['name'],
  file: string,
  flags: ImportFlags & DatabaseFlags,
): Promise<void> {
  const { relations } = await import('./data/relations.ts')
  const { runImport } = await import('./data/import/command.ts')
  await runImport(terminal, readCommandConfig(terminal, flags.database), relations[name], file, flags)
}

function statusFor(error: unknown): number {
  // To Commander, `--help` is an error with exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
  return error instanceof ConfigError || error instanceof UsageError ? USAGE_STATUS : 1
}

function messageFor(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message
  return `Unexpected error: ${messageOf(error)}`
}
