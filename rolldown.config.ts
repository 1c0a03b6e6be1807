// The program as the package and the image run it: `npm run build` makes dist/ of src/. A start reads a few
// files instead of some 400, which is half of its time. Nothing else uses dist/: a clone runs its sources.

import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type Plugin } from 'rolldown'

/**
 * Dependencies that become part of it: what a start loads, and whatever handles the objects of graphql, which
 * must exist once. The others stay in node_modules until they are needed, where OpenTelemetry finds pg
 * and mysql2.
 */
const bundled = [
  '@escape.tech/graphql-armor-max-aliases',
  '@escape.tech/graphql-armor-max-depth',
  '@pothos/core',
  'commander',
  'dataloader',
  'graphql-jit',
  'graphql-yoga',
]

/** What a start of the gateway loads, each with what it imports. */
const started = ['src/cli.ts', 'src/cluster/serve.ts', 'src/migration/live.ts']

const isPackage = (id: string) => /^(?!node:)[@\w]/.test(id)
const isFrom = (name: string, id: string) => id.includes(`/node_modules/${name}/`)

/**
 * Is left to the import of a package's file; but graphql is a file of its own, in whose place a trace has the
 * package.
 */
function isExternal(id: string, importer: string | undefined): boolean {
  if (importer === undefined) return false
  if (id === 'graphql') return !isFrom('graphql', importer)
  return isPackage(id) && !bundled.includes(id) && !importer.includes('/node_modules/')
}

const onlyGraphql = "module.exports = require('graphql')"

/**
 * What graphql-jit imports of graphql's files, made of what the package itself exports: the files would be a
 * second graphql, whose types the first one takes for those of a stranger. It would refuse to compile each
 * `__typename`.
 */
const filesOfGraphql: Readonly<Record<string, string>> = {
  'graphql/error/index.js': onlyGraphql,
  'graphql/utilities/index.js': onlyGraphql,
  'graphql/jsutils/Path.js': "exports.pathToArray = require('graphql').responsePathAsArray",
  'graphql/execution/execute.js': `
    const { SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef } = require('graphql')
    exports.getFieldDef = (schema, parent, { name }) => {
      const ofQuery = schema.getQueryType() === parent ? [SchemaMetaFieldDef, TypeMetaFieldDef] : []
      const own = [TypeNameMetaFieldDef, ...ofQuery].find((field) => field.name === name.value)
      return own ?? parent.getFields()[name.value]
    }`,
}

const oneGraphql: Plugin = {
  name: 'one-graphql',
  resolveId: (id) => (id in filesOfGraphql ? `\0${id}` : null),
  load: (id) => filesOfGraphql[id.slice(1)] ?? null,
  generateBundle(_, chunks) {
    for (const chunk of Object.values(chunks)) {
      const second = chunk.type === 'chunk' && chunk.name !== 'graphql' && chunk.moduleIds.find(isOfGraphql)
      if (second) throw new Error(`${chunk.fileName} has a second graphql: ${second}`)
    }
  },
}
const isOfGraphql = (id: string) => isFrom('graphql', id)

interface Graph {
  readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null
}

let start: ReadonlySet<string> | null = null

/** One file has all modules that every start of the gateway loads. */
function chunkOf(id: string, graph: Graph): string | null {
  start ??= startOf(graph)
  return start.has(id) ? 'start' : null
}

/** Modules that a start imports before it runs; but not cli.ts, for which other files wait. */
function startOf(graph: Graph): ReadonlySet<string> {
  const closure = new Set(started.map((path) => `${import.meta.dirname}/${path}`))
  for (const id of closure)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) closure.add(imported)
  return new Set([...closure].filter((id) => !id.endsWith('/src/cli.ts')))
}

/** An import of Node's modules reads each of their names, and some of them are slow to come by. */
const builtins: Plugin = {
  name: 'builtins',
  renderChunk(code, { name }) {
    // An old Node must be able to read it.
    if (name === 'lookup') return null
    return code.replace(/^import (.*) from "(node:[a-z_/]+)";$/gm, (_, names: string, module: string) => {
      return `const ${names.replaceAll(' as ', ': ')} = process.getBuiltinModule("${module}");`
    })
  },
}

/** The licences of what becomes part of it. */
const licences: Plugin = {
  name: 'licences',
  generateBundle(_, chunks) {
    const modules = Object.values(chunks).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
    const texts = [...new Set(folders)].map((folder) => {
      const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
      const by = author?.name ?? author ?? 'its contributors'
      const files = globSync('{licen[cs]e,LICEN[CS]E}*', { cwd: folder })
      const said = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim())
      return [`${name} ${version}, by ${by}: ${license}`, ...said].join('\n\n')
    })
    const source = `${[...new Set(texts)].toSorted().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source })
  },
}

export default defineConfig({
  platform: 'node',
  input: { lookup: 'src/lookup.js', graphql: 'graphql' },
  external: isExternal,
  // ECMAScript where a package has both: what is not used is left out.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [oneGraphql, builtins, licences],
  output: {
    // All in one folder, as ownFile() expects.
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    paths: { graphql: './graphql.js' },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkOf, debugName: 'start' }],
    },
    // What an error's stack points to can be read, and begins with the name of its source; a map would be
    // read by each start.
    minify: false,
    // Those of licences are in LICENSES.txt.
    comments: false,
    // A process may meet the files of a newer package, for which names of a letter would mean something else.
    minifyInternalExports: false,
  },
})
