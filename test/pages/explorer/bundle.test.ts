// What the page runs is made of src/pages/explorer, and kept up to date.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const path = (file: string) => fileURLToPath(new URL(`../../../src/${file}`, import.meta.url))

test('the bundle is that of the sources: "npm run explorer" makes it', async () => {
  const bundle = await rolldown({ input: path('pages/explorer/main.ts'), cwd: path('..') })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  expect(output).toHaveLength(1)
  expect(readFileSync(path('pages/explorer/explorer.generated.js'), 'utf8')).toBe(output[0].code)
})
