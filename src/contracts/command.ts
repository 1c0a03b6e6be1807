import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { relations } from '../data/relations.ts'
import { engines, printTables } from '../data/tables.ts'
import { schema } from '../graphql/schema.ts'
import { dialectSchema } from '../legacy/dialect-schema.ts'
import { ownFile } from '../own-file.ts'
import { CommandError, UsageError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type ContractName, contracts } from './index.ts'
import { openapi } from './openapi.ts'

/**
 * `lookup schema`: prints one published contract, or checks or writes all generated files under schema/.
 * legacy.xsd is written by hand.
 */
export function runSchema(
  { stdout }: Terminal,
  name: ContractName | undefined,
  { check, write }: { readonly check?: true; readonly write?: true },
): void {
  if (check && write) throw new UsageError('--check and --write exclude each other. Give one of them.')
  if (!check && !write) {
    stdout.write(readFileSync(ownFile(`schema/${contracts[name ?? 'graphql'].file}`)))
    return
  }
  if (name !== undefined)
    throw new UsageError(`--check and --write are for all contracts. Leave "${name}" out.`)
  const stale: string[] = []
  const published = [
    [contracts.graphql.file, `${printSchema(schema)}\n`],
    [contracts.openapi.file, openapi()],
    ['dialect.schema.json', dialectSchema()],
    ...engines.map((engine) => [`${engine}.sql`, printTables(Object.values(relations), engine)] as const),
  ] as const
  for (const [file, text] of published) {
    const path = ownFile(`schema/${file}`)
    if (write) writeFileSync(path, text)
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) stale.push(`schema/${file}`)
  }
  if (stale.length > 0) throw new CommandError(`Stale: ${stale.join(', ')}. Run "npm run codegen".`)
}
