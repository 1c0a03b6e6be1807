// The exit status of a replay whose report nobody reads.

import { once } from 'node:events'
import { expect } from 'vitest'
import { startLookup } from '../../kit/run-lookup.ts'
import { test } from '../../kit/test.ts'
import { startPair, to } from './support.ts'

test('is the same', async ({ place }) => {
  const { old, fresh } = await startPair(
    () => '{"1":null}',
    () => '{}',
  )
  place.write('access.log', '/?Event=a\n')
  const child = startLookup(['replay', 'access.log', ...to(old, fresh)], { cwd: place.path })
  child.stdout.destroy()
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([1, null])
})
