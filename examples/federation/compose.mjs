// Writes the supergraph. Run this program when a subgraph has changed: the router starts from the file, even if
// a subgraph is down. docs/graphql.md names the packages.

import { writeFileSync } from 'node:fs'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'

const subgraphs = { lookup: 'http://127.0.0.1:4000/graphql', posts: 'http://127.0.0.1:4010/graphql' }
const services = Object.entries(subgraphs).map(async ([name, url]) => {
  const body = JSON.stringify({ query: '{ _service { sdl } }' })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { name, url, typeDefs: parse((await response.json()).data._service.sdl) }
})
const { supergraphSdl, errors } = composeServices(await Promise.all(services))
if (errors) throw new AggregateError(errors)
writeFileSync('supergraph.graphql', supergraphSdl)
