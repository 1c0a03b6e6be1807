// Hive's gateway, and Hive's composition of the schemas that the subgraphs tell.

import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'
import { serve, subgraphs } from './process.js'

async function schemaOf({ name, url }) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  })
  const { data } = await response.json()
  return { name, url, typeDefs: parse(data._service.sdl) }
}

const { supergraphSdl, errors } = composeServices(await Promise.all(subgraphs.map(schemaOf)))
if (errors !== undefined) throw new AggregateError(errors)
serve(createServer(createGatewayRuntime({ supergraph: supergraphSdl, logging: false, maskedErrors: false })))
