// For `node --import`: the gateway from its own sources, but for the file that merges lookups.

import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'

const merging = new URL('../../../src/gateway/loaders/batch.ts', import.meta.url)
const replacement = new URL('batch.ts', import.meta.url)

if (!existsSync(merging)) throw new Error('The file that merges lookups has another name by now.')

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    return resolved.url === merging.href ? { ...resolved, url: replacement.href } : resolved
  },
})
