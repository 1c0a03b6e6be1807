#!/usr/bin/env node
// The entry, in plain JavaScript, so that an old Node shows a message instead of a syntax error. The other
// files are TypeScript, whose types Node strips; in the package they are JavaScript.
//
// package.json starts it with --max-semi-space-size=8. V8's default is larger: slower, and 40 MiB more
// memory.
import module from 'node:module'

const needed = 24
const running = process.versions.node
if (Number(running.split('.')[0]) < needed) {
  process.stderr.write(
    `Lookup Service needs Node ${needed} or newer, and this is Node ${running}. ` +
      'Run "npm install" in the repository (it brings one along), or install a newer Node.\n',
  )
  process.exitCode = 1
} else {
  // Node 24 warns at each start that node:sqlite may change, which operators cannot act on.
  const warn = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) warn.call(process, warning, ...rest)
  }
  // Otherwise graphql-js looks for a second copy of itself: 10 % of the time of a new query.
  process.env.NODE_ENV ??= 'production'
  // Caches the compiled files, which halves the time of the next start.
  module.enableCompileCache()
  Promise.all([import('./terminal/process.ts'), import('./cli.ts')]).then(([{ runAsProcess }, { main }]) =>
    runAsProcess(main),
  )
}
