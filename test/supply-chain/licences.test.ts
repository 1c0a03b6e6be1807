// The licences of all that is installed with the service.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { npm } from '../kit/npm.ts'
import { allowedLicences } from './allowed-licences.ts'

interface Found {
  readonly name: string
  readonly version: string
  /** An SPDX expression, where its author keeps to the rules. */
  readonly license?: unknown
}

const runtimePackages = async (folder: string): Promise<Found[]> =>
  JSON.parse(await npm(folder, 'query', '.prod'))

const refused = (packages: readonly Found[]) =>
  packages
    .filter(({ license }) => !allowedLicences.includes(license))
    .map(({ name, version, license = 'no licence' }) => `${name}@${version}: ${JSON.stringify(license)}`)

test('every package that is needed at run time has a licence that is allowed', async () => {
  const packages = await runtimePackages(fileURLToPath(new URL('../..', import.meta.url)))
  expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['graphql', 'pg-types', 'tslib']))
  expect(refused(packages)).toEqual([])
})

test('a package with another licence is named, or with none', async () => {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const make = (folder: string, about: object) => {
    mkdirSync(join(path, folder), { recursive: true })
    writeFileSync(join(path, folder, 'package.json'), JSON.stringify({ version: '1.0.0', ...about }))
  }
  const dependencies = { kind: '1.0.0', strict: '1.0.0', silent: '1.0.0' }
  make('', { name: 'it', license: 'MIT', dependencies, devDependencies: { tool: '1.0.0' } })
  make('node_modules/kind', { name: 'kind', license: 'ISC', dependencies: { below: '1.0.0' } })
  make('node_modules/below', { name: 'below', license: { type: 'MIT' } })
  make('node_modules/strict', { name: 'strict', license: 'GPL-3.0-only' })
  make('node_modules/silent', { name: 'silent' })
  make('node_modules/tool', { name: 'tool', license: 'GPL-3.0-only' })
  expect(refused(await runtimePackages(path)).toSorted()).toEqual([
    'below@1.0.0: {"type":"MIT"}',
    'silent@1.0.0: "no licence"',
    'strict@1.0.0: "GPL-3.0-only"',
  ])
})
