// For `node --import`: the gateway from its own sources, but for the file that merges lookups, and for the
// one that refuses requests when Node is busy. Without merging, it would refuse requests of 64 clients: that
// is not measured.

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

const source = (path: string) => new URL(`../../../src/gateway/${path}`, import.meta.url)
const own = (name: string) => new URL(name, import.meta.url).href

const replacements = [
  { file: source('loaders/batch.ts'), by: own('batch.ts') },
  { file: source('http/overload.ts'), by: own('overload.ts') },
]

for (const { file } of replacements)
  if (!existsSync(file)) throw new Error(`${file.pathname} has another name by now.`)

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    const replacement = replacements.find(({ file }) => file.href === resolved.url)
    return replacement === undefined ? resolved : { ...resolved, url: replacement.by }
  },
})
