import { readFileSync, writeFileSync } from 'node:fs'
import { printSchema } from 'graphql'
import type { Config } from '../config.ts'
import { schema } from '../graphql/schema.ts'
import { openapi } from '../legacy/contracts/openapi.ts'
import { xsd } from '../legacy/contracts/xsd.ts'
import type { Dialect } from '../legacy/dialect.ts'
import { CommandError } from './command-error.ts'

interface Contract {
  readonly file: string
  readonly print: (dialect: Dialect) => string
}

const contracts = {
  graphql: { file: 'schema.graphql', print: () => `${printSchema(schema)}\n` },
  openapi: { file: 'legacy.openapi.json', print: openapi },
  xsd: { file: 'legacy.xsd', print: xsd },
} satisfies Record<string, Contract>

export type ContractName = keyof typeof contracts
export const contractNames = ['graphql', 'openapi', 'xsd'] as const satisfies readonly ContractName[]

/** `lookup schema`: prints one contract in the dialect set, or checks or writes the published ones. */
export function runSchema(
  { dialect }: Config,
  name: ContractName,
  { check, write }: { readonly check?: true; readonly write?: true },
): void {
  if (!check && !write) {
    process.stdout.write(contracts[name].print(dialect))
    return
  }
  const stale: string[] = []
  for (const { file, print } of Object.values(contracts)) {
    const path = new URL(`../../schema/${file}`, import.meta.url)
    if (write) writeFileSync(path, print(dialect))
    else if (readOrEmpty(path) !== print(dialect)) stale.push(`schema/${file}`)
  }
  if (stale.length > 0)
    throw new CommandError(`Stale: ${stale.join(', ')}. "npm run codegen" writes them anew.`)
}

function readOrEmpty(path: URL): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
