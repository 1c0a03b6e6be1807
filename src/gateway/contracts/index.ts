// The table of published contracts: the files under schema/, which the gateway serves as its own dialect has
// them.

export interface Contract {
  /** Its name under schema/. */
  readonly file: string
  readonly contentType: string
  readonly format: 'JSON' | 'XML' | 'SDL'
}

export const contracts = {
  graphql: {
    file: 'schema.graphql',
    // There is no registered type for it, and browsers show text.
    contentType: 'text/plain; charset=utf-8',
    format: 'SDL',
  },
  openapi: {
    file: 'legacy.openapi.json',
    contentType: 'application/json; charset=utf-8',
    format: 'JSON',
  },
  xsd: { file: 'legacy.xsd', contentType: 'application/xml; charset=utf-8', format: 'XML' },
} as const satisfies Record<string, Contract>

export type ContractName = keyof typeof contracts
export const contractNames = Object.keys(contracts) as readonly ContractName[]
