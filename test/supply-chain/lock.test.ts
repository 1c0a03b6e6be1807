// What is installed is what was looked at: the lock file, exact versions, and no install scripts but one.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { lockedPackages, nameOf, npm, packageOf } from '../kit/npm.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe.each([
  { project: 'the service', folder: root, mayRun: ['node'], atLeast: 40 },
  {
    project: 'the generated client',
    folder: join(root, 'test/gateway/legacy/client'),
    mayRun: [],
    atLeast: 40,
  },
  { project: 'the front end', folder: join(root, 'examples/frontend'), mayRun: [], atLeast: 40 },
])('$project', ({ folder, mayRun, atLeast }) => {
  const locked = lockedPackages(join(folder, 'package-lock.json'))
  const { allowScripts } = packageOf(folder)

  test('the lock file says what each package is, and not where one copy of it came from', () => {
    expect(locked.size).toBeGreaterThan(atLeast)
    for (const [place, { integrity, resolved }] of locked) {
      expect(integrity, place).toMatch(/^sha512-/)
      expect(resolved, place).toBeUndefined()
    }
  })

  test('the lock file agrees with package.json', async () => {
    await npm(folder, 'ci', '--dry-run', '--ignore-scripts')
  })

  test('every install script is known, and allowed or not', () => {
    const places = [...locked].filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => place)
    expect(Object.keys(allowScripts).toSorted()).toEqual(places.map(nameOf).toSorted())
    expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(mayRun)
  })
})

test('what the service needs at run time has exact versions, those of the lock file', () => {
  const locked = lockedPackages(join(root, 'package-lock.json'))
  const { dependencies } = packageOf(root)
  const versions = Object.keys(dependencies).map((name) => [
    name,
    locked.get(`node_modules/${name}`)?.version,
  ])
  expect(dependencies).toEqual(Object.fromEntries(versions))
})
