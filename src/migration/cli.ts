// The commands that lead out of an old service.

import type { Command } from 'commander'
import {
  listOf,
  logHelp,
  numberOption,
  pathOption,
  rateOption,
  serviceUrl,
  urlArgument,
} from '../cli-options.ts'
import { processSources, readConfig } from '../config.ts'
import type { CensusRequest } from './census/command.ts'
import type { Advice } from './probe/advice.ts'
import type { ProbeRequest } from './probe/command.ts'
import type { ReplayRequest } from './replay/command.ts'

/** @param setStatus is told the exit status of those that have one to tell */
export function addMigrationCommands(program: Command, setStatus: (status: number) => void): void {
  program
    .command('probe')
    .description('find out how an old service behaves, and the settings that make the gateway answer alike')
    .addArgument(urlArgument)
    .option('--users <ids>', 'up to three users that are there, with commas between them', listOf, ['1', '2'])
    .option('--apps <ids>', 'up to three apps that are there; "" for none', listOf, ['1'])
    .option('--chats <identifiers>', 'identifiers of the chat platform, of users that are there', listOf, [])
    .option('--chat-methods <words>', 'words to try first for the method of the chat platform', listOf, [])
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
      numberOption(
        '--limit <number>',
        'distinct requests to send at most, those first that are asked for most',
      ),
    )
    .option('--state <file>', 'where it is kept how far it is, until all is done', 'lookup-replay.state')
    .option('--json <file>', 'the report as JSON')
    .option('--html <file>', 'the report as a page of its own')
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
    .option('--json <file>', 'the census as JSON')
    .option('--html <file>', 'the census as a page of its own')
    .action(async (logs: string[], flags: Omit<CensusRequest, 'logs'>) => {
      const { runCensus } = await import('./census/command.ts')
      await runCensus({ ...flags, logs }, setStatus)
    })
}
