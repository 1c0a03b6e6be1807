import { type Config, processSources, readConfig } from '../config.ts'

/**
 * The configuration of a command; warnings go to standard error.
 * @param database its `--database`
 * @throws ConfigError
 */
export function readCommandConfig(database: string | undefined): Config {
  const config = readConfig(processSources({ DATABASE_URL: database }))
  printWarnings(config)
  return config
}

export function printWarnings({ warnings }: Config): void {
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
}
