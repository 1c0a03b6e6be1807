// The rule of CONTRIBUTING.md: a type name means one thing in the whole tree.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = new URL('../src', import.meta.url).pathname
const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm

test('each type has a name of its own', () => {
  const declarations = globSync('**/*.ts', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(declaration)].map(([, name = '']) => ({ name, file })),
  )
  expect(declarations.length).toBeGreaterThan(100)
  const twice = [...Map.groupBy(declarations, ({ name }) => name)].filter(([, { length }]) => length > 1)
  expect(
    twice.map(([name, all]) => `${name}: ${all.map(({ file }) => file).join(', ')}`),
    'Name each type by the thing it is, such as StoreRow instead of Row, or declare it once and import it',
  ).toEqual([])
})
