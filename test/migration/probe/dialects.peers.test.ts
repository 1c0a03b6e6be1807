// `lookup probe` recovers the dialect of an old service in PHP.

import { onTestFinished } from 'vitest'
import { need } from '../../kit/programs.ts'
import { test } from '../../kit/test.ts'
import { startOldService } from '../../old-service/start.ts'
import { dialects, expectDialect, moreDialects } from './dialects.ts'

need('php')
test.for([...dialects, ...moreDialects])('%j: %s', async (dialect, { place }) => {
  const old = await startOldService(dialect[0])
  onTestFinished(old.close)
  await expectDialect(place, old, dialect)
})
