import { type Config, commandSources, readConfig } from '../config/config.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reads the configuration of a command, and writes its warnings to standard error. @throws ConfigError
 * @param database the value of `--database`
 */
export function readCommandConfig(terminal: Terminal, database?: string): Config {
  const config = readConfig(commandSources({ DATABASE_URL: database }, terminal.env))
  printWarnings(config, terminal)
  return config
}

export function printWarnings({ warnings }: Config, { stderr }: Terminal): void {
  for (const warning of warnings) stderr.write(`${warning}\n`)
}
