// `lookup schema` prints the published contracts; command.peers.test.ts has files that are stale.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fileWith } from '../kit/dialect.ts'
import { root } from '../kit/documentation.ts'
import { test } from '../kit/test.ts'

const acme = { LEGACY_DIALECT: fileWith({ serviceName: 'Acme' }) }

test.for([
  [['schema'], 'schema.graphql'],
  [['schema', 'graphql'], 'schema.graphql'],
  [['schema', 'openapi'], 'legacy.openapi.json'],
  [['schema', 'xsd'], 'legacy.xsd'],
] as const)('%j prints %s, whatever is set', async ([args, file], { place }) => {
  const printed = await place.run(args, { env: acme })
  expect(printed).toEqual({ status: 0, stdout: readFileSync(join(root, 'schema', file), 'utf8'), stderr: '' })
})

test.for([{}, acme])('--check is silent with fresh files and %j', async (env, { place }) => {
  expect(await place.run(['schema', '--check'], { env })).toEqual({ status: 0, stdout: '', stderr: '' })
})

test.for([
  [['--check', '--write'], '--check and --write exclude each other. Give one of them.\n'],
  [['openapi', '--check'], '--check and --write are for all contracts. Leave "openapi" out.\n'],
] as const)('schema refuses %j', async ([flags, stderr], { place }) => {
  expect(await place.run(['schema', ...flags])).toEqual({ status: 2, stdout: '', stderr })
})
