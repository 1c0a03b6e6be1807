// The list of mechanisms keeps up with the code: `npm run test:switched-off` could not switch off what is not there.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mechanisms } from './mechanisms.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test.each(mechanisms)('$file has $what, once', ({ file, from, to, tests }) => {
  expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
  for (const test of tests) expect(existsSync(join(root, test))).toBe(true)
})

test('each promise has one', () => {
  const promised = new Set(mechanisms.map(({ promise }) => promise))
  expect([...promised].filter((promise) => promise > 0).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 13 }, (_, index) => index + 1),
  ])
})
