import { printSchema } from 'graphql'
import type { Dialect } from '../../settings.ts'
import { schema } from '../graphql/schema.ts'
import { openapi } from '../legacy/contracts/openapi.ts'
import { xsd } from '../legacy/contracts/xsd.ts'
import type { ContractName } from './index.ts'

const printers: Readonly<Record<ContractName, (dialect: Dialect) => string>> = {
  graphql: () => `${printSchema(schema)}\n`,
  openapi,
  xsd,
}

/** A contract as it is published, from the schema and the events' declarations. */
export function printContract(name: ContractName, dialect: Dialect): string {
  return printers[name](dialect)
}
