// `npm run test:switched-off` takes hours, and would first find an edit that finds its text no more.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mechanisms } from './mechanisms.ts'

test('each mechanism is a text that its file has once', () => {
  const counts = mechanisms.map(({ what, file, from }) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
    return { what, count: source.split(from).length - 1 }
  })
  expect(counts.filter(({ count }) => count !== 1)).toEqual([])
})
