// The published contracts. The legacy files describe the default dialect, whatever is set; the SDL is that of
// the gateway's own schema, which settings may extend.

import { readFile } from 'node:fs/promises'
import { type GraphQLSchema, printSchema } from 'graphql'
import { lazily } from '../lazily.ts'
import { ownFile } from '../own-file.ts'
import { etagOf, type HttpResponse, openHeaders } from '../response.ts'

export const contracts = {
  graphql: {
    file: 'schema.graphql',
    // There is no registered type for it, and browsers show text.
    contentType: 'text/plain; charset=utf-8',
    format: 'SDL',
  },
  openapi: { file: 'legacy.openapi.json', contentType: 'application/json; charset=utf-8', format: 'JSON' },
  xsd: { file: 'legacy.xsd', contentType: 'application/xml; charset=utf-8', format: 'XML' },
} as const

export type ContractName = keyof typeof contracts
export const contractNames = Object.keys(contracts) as readonly ContractName[]

/**
 * Creates the responder for a contract, which reads its file once.
 * @param schema without the fields of routers
 */
export function contractResponder(name: ContractName, schema: GraphQLSchema): () => Promise<HttpResponse> {
  const { file, contentType, format } = contracts[name]
  // Tools in pages of other origins read contracts, too.
  const headers = ['Content-Type', contentType, 'Cache-Control', 'no-cache', ...openHeaders]
  const about = { event: 'contract', format, outcome: 'ok', values: 0 } as const
  return lazily(async () => {
    const body =
      name === 'graphql' ? Buffer.from(`${printSchema(schema)}\n`) : await readFile(ownFile(`schema/${file}`))
    return { status: 200, headers, body, etag: etagOf(body), about }
  })
}
