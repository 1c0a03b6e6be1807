#!/usr/bin/env node
// The entry, in plain JavaScript that an old Node can still read: it explains itself where cli.ts could only
// be a syntax error. Everything after this line of defence is TypeScript, run directly by Node's type stripping;
// in the package it is JavaScript, for Node strips no types under node_modules.
//
// Of the flags that package.json starts it with, one keeps V8's space for new objects at 8 MiB. It would grow
// to twice that and more, for objects that live longer than a request does: slower, and 40 MiB larger.
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
  // Node 24 warns at every start that node:sqlite may still change; its users need not hear it.
  const warn = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) warn.call(process, warning, ...rest)
  }
  // Otherwise graphql-js checks for a second copy of itself: 10 % of a request whose query is new.
  process.env.NODE_ENV ??= 'production'
  // Keeps what Node makes of each file, types stripped and compiled, for the next start: half the time of a start.
  module.enableCompileCache()
  Promise.all([import('./terminal/process.ts'), import('./cli.ts')]).then(([{ runAsProcess }, { main }]) =>
    runAsProcess(main),
  )
}
