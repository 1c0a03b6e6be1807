// `lookup probe` recovers the dialect of the twin of an old service in PHP.

import { test } from '../../kit/test.ts'
import { dialects, expectDialect } from './dialects.ts'
import { startTwin } from './support.ts'

test.for(dialects)('%j: %s', async (dialect, { place }) => {
  await expectDialect(place, await startTwin(dialect[0]), dialect)
})
