#!/usr/bin/env node
// `npx lookup`: in a clone it runs the sources, in the package what they were compiled to. Plain JavaScript that
// an old Node can read, as src/lookup.js is.
import { existsSync } from 'node:fs'

const sources = new URL('../src/lookup.js', import.meta.url)
import(existsSync(sources) ? sources : new URL('../dist/lookup.js', import.meta.url))
