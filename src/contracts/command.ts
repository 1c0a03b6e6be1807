import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import { schema } from '../graphql/schema.ts'
import { dialectSchema } from '../legacy/dialect-places.ts'
import { ownFile } from '../own-file.ts'
import { CommandError, UsageError } from '../terminal/command-error.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type ContractName, contracts } from './index.ts'
import { openapi } from './openapi.ts'
import { xsd } from './xsd.ts'

/** `lookup schema`: prints one published contract, or checks or writes the generated files of schema/. */
export function runSchema(
  { stdout }: Terminal,
  name: ContractName | undefined,
  { check, write }: { readonly check?: true; readonly write?: true },
): void {
  if (check && write) throw new UsageError('--check and --write exclude each other. Give one of them.')
  if (!check && !write) {
    stdout.write(readFileSync(pathOf(contracts[name ?? 'graphql'].file)))
    return
  }
  if (name !== undefined)
    throw new UsageError(`--check and --write are for all contracts. Leave "${name}" out.`)
  const stale = generatedFiles().filter(
    ([file, text]) => !existsSync(pathOf(file)) || readFileSync(pathOf(file), 'utf8') !== text,
  )
  if (write) for (const [file, text] of stale) writeFileSync(pathOf(file), text)
  else if (stale.length > 0) {
    const names = stale.map(([file]) => `schema/${file}`)
    throw new CommandError(`Stale: ${names.join(', ')}. Run "npm run codegen".`)
  }
}

/** The names and texts of the generated files. */
function generatedFiles(): readonly (readonly [file: string, text: string])[] {
  return [
    [contracts.graphql.file, `${printSchema(schema)}\n`],
    [contracts.openapi.file, openapi()],
    [contracts.xsd.file, xsd()],
    ['dialect.schema.json', dialectSchema()],
  ]
}

const pathOf = (file: string) => ownFile(`schema/${file}`)
