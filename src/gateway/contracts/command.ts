import { readFileSync, writeFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { relations } from '../../data/relations.ts'
import { engines, printTables } from '../../data/tables.ts'
import { ownFile } from '../../own-file.ts'
import { CommandError, UsageError } from '../../terminal/command-error.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type ContractName, contractNames, contracts } from './index.ts'
import { printContract } from './print.ts'

/** `lookup schema`: prints one contract in the dialect set, or checks or writes the published ones. */
export function runSchema(
  { stdout }: Terminal,
  { dialect }: Config,
  name: ContractName | undefined,
  { check, write }: { readonly check?: true; readonly write?: true },
): void {
  if (check && write) throw new UsageError('--check and --write exclude each other. Give one of them.')
  if (!check && !write) {
    stdout.write(printContract(name ?? 'graphql', dialect))
    return
  }
  if (name !== undefined)
    throw new UsageError(`--check and --write are for all contracts. Leave "${name}" out.`)
  const stale: string[] = []
  const published = [
    ...contractNames.map((contract) => [contracts[contract].file, printContract(contract, dialect)] as const),
    ...engines.map((engine) => [`${engine}.sql`, printTables(Object.values(relations), engine)] as const),
  ]
  for (const [file, text] of published) {
    const path = ownFile(`schema/${file}`)
    if (write) writeFileSync(path, text)
    else if (readOrEmpty(path) !== text) stale.push(`schema/${file}`)
  }
  if (stale.length > 0) throw new CommandError(`Stale: ${stale.join(', ')}. Run "npm run codegen".`)
}

function readOrEmpty(path: URL): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
