// The rule of CONTRIBUTING.md: imports go down, never sideways. Types count, too.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Files that every room may import besides `config/`; they import only each other, `config/` and `legacy/`.
 */
const leaves =
  'accept.ts caller.ts clock.ts errors.ts fingerprint.ts header-reader.ts html-text.ts json.ts lazily.ts line-writer.ts model.ts observe/counts.ts observe/events.ts own-file.ts response.ts spelling.ts text.ts'.split(
    ' ',
  )

/**
 * For each room, the rooms below it that it may import besides itself and the leaves. The script of the
 * explorer, and what comes into `data/` and out of it, are rooms of their own.
 */
const below: Readonly<Record<string, readonly string[]>> = {
  'lookup.js': ['cli.ts', 'terminal'],
  'cli.ts': 'migration cluster contracts data/import data/export stores views data terminal'.split(' '),
  views: ['stores', 'data', 'terminal'],
  migration: 'app.ts http legacy data/import stores data terminal pages'.split(' '),
  cluster: 'app.ts http observe operations data/import stores data terminal'.split(' '),
  operations: ['observe', 'pages'],
  'app.ts': 'migration contracts graphql http lookups legacy pages stores'.split(' '),
  contracts: ['graphql', 'legacy', 'data', 'terminal'],
  // In the browser: it knows what the gateway sends by its types.
  'pages/explorer': ['pages', 'legacy'],
  graphql: ['lookups', 'data'],
  legacy: ['data'],
  lookups: ['stores', 'data'],
  pages: ['legacy', 'stores'],
  'data/import': ['stores', 'data', 'terminal'],
  'data/export': ['stores', 'data', 'terminal'],
  stores: ['data', 'legacy', 'terminal'],
  ...{ http: [], observe: [], data: [], terminal: [] },
  // Settings have the dialect: its table, its file, and the names of fields.
  leaf: ['legacy'],
}

const src = new URL('../src', import.meta.url).pathname
const files = globSync('**/*.{ts,js}', { cwd: src }).toSorted()
const rooms = Object.keys(below).toSorted((a, b) => b.length - a.length)
const room = (file: string) =>
  leaves.includes(file) || file.startsWith('config/')
    ? 'leaf'
    : (rooms.find((name) => file === name || file.startsWith(`${name}/`)) ?? file)
const codeOf = (file: string) => readFileSync(join(src, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')

/** Files of the project by their path, anything else by its name. */
const importsOf = (file: string) =>
  [...codeOf(file).matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative(src, join(src, dirname(file), name)) : name,
  )
const importersOf = (name: RegExp) =>
  files.filter((file) => importsOf(file).some((imported) => name.test(imported)))
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(codeOf(file)))

test('imports go down, never sideways', () => {
  const inside = files.flatMap((file) =>
    importsOf(file).flatMap((name) => (files.includes(name) ? [[file, name] as const] : [])),
  )
  const sideways = inside.filter(
    ([file, name]) =>
      room(name) !== 'leaf' && room(name) !== room(file) && !below[room(file)]?.includes(room(name)),
  )
  expect(sideways.map(([file, name]) => `${file} imports ${name}`)).toEqual([])
  expect(inside.length).toBeGreaterThan(100)
  expect([...leaves, ...files.map(room)].filter((name) => !(name in below) && !files.includes(name))).toEqual(
    [],
  )
})

test('only stores import a database driver, and what keeps how far a long work is', () => {
  const drivers = importersOf(/^(?:node:sqlite|better-sqlite3|mysql2?|pg|pg-.+)$/)
  expect(drivers).toContain('stores/sqlite/database.ts')
  expect(drivers).toContain('stores/postgres/connection.ts')
  expect(drivers.filter((file) => room(file) !== 'stores')).toEqual(['migration/progress-file.ts'])
})

test('commands know the process by what is passed to them', () => {
  expect(filesWith(/\bprocess\.(?:env|argv|stdin|stdout|stderr|cwd)\b/)).toEqual([
    'lookup.js',
    'terminal/process.ts',
  ])
})

test('a start loads nothing that only some requests or other commands need', () => {
  const staticImportsOf = (file: string) =>
    [...codeOf(file).matchAll(/^(?:import|export) (?!type\b)[^;']*?from '([^']+)'/gm)].map(([, name = '']) =>
      name.startsWith('.') ? relative(src, join(src, dirname(file), name)) : name,
    )
  const loaded = new Set(['cli.ts', 'cluster/serve.ts'])
  for (const file of loaded)
    if (files.includes(file)) for (const name of staticImportsOf(file)) loaded.add(name)
  expect(loaded).toContain('graphql/schema.ts')
  expect(loaded).toContain('commander')
  for (const spared of [
    'graphql-yoga',
    'graphql-jit',
    'lru-cache',
    'papaparse',
    'pg',
    'mysql2',
    '@noble/ed25519',
    'xmlbuilder2',
    'cli-progress',
    'node:zlib',
    'saxes',
    'node:http',
    'prom-client',
    'operations/page.ts',
  ])
    expect(loaded, `at its start the gateway loads ${spared}`).not.toContain(spared)
})
