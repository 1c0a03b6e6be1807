// argv → command. The only reader of argv and the only setter of the exit code.

import { Argument, Command, CommanderError, Option } from 'commander'
import about from '../package.json' with { type: 'json' }
import { ConfigError, printConfig, processSources, readConfig } from './config.ts'
import type { ImportFlags } from './data/import/command.ts'
import type { Relation } from './data/relation.ts'
import { type ContractName, contractNames } from './gateway/contracts/index.ts'
import { settings } from './settings.ts'
import { printWarnings, readCommandConfig } from './terminal/command-config.ts'
import { CommandError, Interrupted, USAGE_STATUS, UsageError } from './terminal/command-error.ts'

interface DatabaseFlags {
  readonly database?: string
}

interface ServeFlags extends DatabaseFlags {
  readonly port?: string
  readonly host?: string
  readonly workers?: string
  readonly printConfig?: true
}

/** Milliseconds that others in this process have once the gateway has stopped. */
const EXIT_TIMEOUT_MS = 1_000

const databaseOption = new Option('--database <url>', `${settings.DATABASE_URL.purpose} (DATABASE_URL)`)
const relationArgument = new Argument('<relation>', 'the table').choices(['users', 'apps'])

const afterHelp = `
Settings come from flags, then the environment, then .env; see docs/settings.md.

Exit status:
  0         done
  1         failed; or replay found differences, or schema --check stale files
  2         wrong arguments or settings: nothing was done
  130, 143  interrupted by Ctrl+C or SIGTERM`

const program = new Command('lookup')
  .description('Answers the legacy lookup interface from a GraphQL schema.')
  .addHelpText('after', afterHelp)
  .version(about.version)
  .exitOverride()
  // The value of a misspelt --header may be a secret.
  .configureOutput({
    outputError: (text, write) => write(text.replace(/(unknown option '--[\w-]+=).*'/s, "$1***'")),
  })
  .configureHelp({ showGlobalOptions: true })

program
  .command('serve')
  .description('run the gateway')
  .option('--port <number>', settings.PORT.purpose)
  .option('--host <address>', settings.HOST.purpose)
  .option('--workers <number>', settings.WORKERS.purpose)
  .addOption(databaseOption)
  .option('--print-config', 'print the settings in force, and where each comes from')
  .action(async ({ port, host, workers, database, printConfig: printing }: ServeFlags) => {
    const flags = { PORT: port, HOST: host, WORKERS: workers, DATABASE_URL: database }
    const sources = processSources(flags)
    const config = readConfig(sources)
    if (printing) {
      process.stdout.write(printConfig(sources))
      printWarnings(config)
    } else {
      const { isStuck } = await (await import('./cluster/serve.ts')).runServe(
        config,
        () => readConfig(processSources(flags)),
        replaceProcess,
      )
      if (isStuck) process.exit()
      // What else was loaded into this process, by --import say, may have more to do, but not for ever.
      setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
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
      'format of the file, where its name does not end in .csv, .jsonl, .ndjson or .json',
    ).choices(['csv', 'jsonl']),
  )
  .option('--replace', 'replace all existing rows')
  .option('--skip-invalid <rejects>', 'write invalid rows to this file, with the reason, and import the rest')
  .addOption(databaseOption)
  .action(importFromFile)

program
  .command('export')
  .description('write users or apps to standard output as JSON Lines')
  .addArgument(relationArgument)
  .addOption(databaseOption)
  .action(async (name: Relation['name'], flags: DatabaseFlags) => {
    const { relations } = await import('./data/relations.ts')
    const { runExport } = await import('./data/export/command.ts')
    await runExport(readCommandConfig(flags.database), relations[name], process.stdout)
  })

program
  .command('migrate')
  .description('create missing tables')
  .addOption(databaseOption)
  .action(async (flags: DatabaseFlags) =>
    (await import('./stores/migrate.ts')).runMigrate(readCommandConfig(flags.database)),
  )

program
  .command('schema')
  .description('print, check or write the published contracts')
  .addArgument(new Argument('[contract]', 'the one to print').choices(contractNames))
  .option('--check', 'exit with 1 when a file under schema/ is stale')
  .option('--write', 'write the files under schema/')
  .action(async (contract: ContractName | undefined, flags: { check?: true; write?: true }) => {
    const { runSchema } = await import('./gateway/contracts/command.ts')
    // What is published is the default dialect; what is printed, the one that is set.
    const published = flags.check === true || flags.write === true
    runSchema(published ? readConfig({}) : readCommandConfig(undefined), contract, flags)
  })

// The commands that lead out of an old service. A start of the gateway has no use for them.
if (process.argv[2] !== 'serve')
  (await import('./migration/cli.ts')).addMigrationCommands(program, { importFromFile, setStatus })

// Of all commands above; others do not load it.
if (process.argv[2] === 'complete') (await import('./terminal/completion.ts')).addCompletion(program)
else
  program
    .command('complete')
    .description('print the completion script of a shell: see docs/commands.md')
    .addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish', 'powershell']))

async function importFromFile(
  name: Relation['name'],
  file: string,
  flags: ImportFlags & DatabaseFlags,
): Promise<void> {
  const { relations } = await import('./data/relations.ts')
  const { runImport } = await import('./data/import/command.ts')
  await runImport(readCommandConfig(flags.database), relations[name], file, flags)
}

/**
 * A write that blocks keeps a thread, and with it the process, for ever, even where it exits: another program
 * takes its place, and exits at once.
 */
function replaceProcess(status: number): void {
  process.execve?.(process.execPath, [process.execPath, '-e', `process.exitCode = ${status}`], {})
}

function setStatus(status: number): void {
  process.exitCode = status
}

// A log whose reader is gone is no reason to stop serving.
process.stderr.on('error', () => {})

// A reader that has seen enough (`lookup export users | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  process.stderr.write(`Cannot write the output: ${error.message}\n`)
  process.exit(1)
})

try {
  await program.parseAsync()
} catch (error) {
  setStatus(statusFor(error))
  // Commander has written its own complaint already.
  if (!(error instanceof CommanderError)) process.stderr.write(`${complaintOf(error)}\n`)
  // What is not read would be waited for without end.
  if (process.stderr.writableLength > 0) setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
  if (error instanceof Interrupted) {
    // At once: what is still waited for has been given up, and Node would wait for some of it when it exits.
    process.kill(process.pid, error.signal)
    // The first process of a container survives that.
    process.exit((await import('./terminal/interrupt.ts')).statusOf(error.signal))
  }
  // A worker that cannot start would be held by the channel to its parent.
  if (process.connected) process.exit()
}

function statusFor(error: unknown): number {
  // Printing the help that was asked for is an error, too, without a fault.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
  return error instanceof ConfigError || error instanceof UsageError ? USAGE_STATUS : 1
}

function complaintOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof CommandError) return error.message
  return `Unexpected error: ${error instanceof Error ? error.message : error}`
}
