// A service in this process whose dialect is known: what a probe finds of it.

import { expect, test } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { type Dialect, defaultDialect } from '../../../src/legacy/dialect.ts'
import { withValue } from '../../../src/legacy/dialect-places.ts'
import { createFacade } from '../../../src/legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../../../src/legacy/known-rows.ts'
import { probe } from '../../../src/migration/probe/probe.ts'
import { responseOf } from '../../../src/migration/probe/responses.ts'

const user = { displayName: 'A user', rank: 3, joinDate: 100, isConfirmed: true, banned: false }
const find = rowFinder({
  users: Array.from({ length: 80 }, (_, at) => ({ ...user, id: String(at + 1), username: `user ${at + 1}` })),
  apps: [],
})

async function dialectOf(hidden: Dialect, maxValues: number, earlier: Dialect | null): Promise<Dialect> {
  const facade = createFacade(hidden, maxValues)
  const { dialect } = await probe(async (query) => responseOf(legacyResponseTo(facade, find, query)), {
    ...{ users: ['1', '2'], apps: [], chats: [], chatMethods: [], rate: 1e9, earlier },
    ...{ signal: new AbortController().signal, clock: systemClock, onProgress: () => {} },
  })
  return dialect
}

test('a service that refused long lists before, and cuts them now', async () => {
  const cutting = withValue(defaultDialect, ['read', 'tooMany'], 'cut')
  const found = await dialectOf(cutting, 50, defaultDialect)
  expect(found.read.tooMany).toBe('cut')
  expect((await dialectOf(defaultDialect, 50, cutting)).read.tooMany).toBe('refuse')
})
