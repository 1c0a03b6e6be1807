// Asks the subgraphs for their schemas, and writes the supergraph that the router reads. Run it when a
// subgraph has changed, and keep what it wrote: a router then starts though a subgraph is down.

import { writeFileSync } from 'node:fs'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'
import { type Subgraph, subgraphs } from './subgraphs.ts'

async function schemaOf({ name, url }: Subgraph) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  })
  const { data }: { data?: { _service: { sdl: string } } } = await response.json()
  if (data === undefined) throw new Error(`${url} is no subgraph. Start the gateway with FEDERATION=on.`)
  return { name, url, typeDefs: parse(data._service.sdl) }
}

const { supergraphSdl, errors } = composeServices(await Promise.all(subgraphs.map(schemaOf)))
if (supergraphSdl === undefined) throw new AggregateError(errors ?? [], 'The schemas do not fit together.')
writeFileSync('supergraph.graphql', supergraphSdl)
process.stdout.write('Wrote supergraph.graphql.\n')
