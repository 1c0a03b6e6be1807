// A server closes the connection of a statement that is longer than its max_allowed_packet. No lookup is.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { usernameKey } from '../../../src/model.ts'
import type { Observation } from '../../../src/observation.ts'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { makeDatabase } from '../../kit/mysql/database.ts'
import { flavours, hasServer } from '../../kit/mysql/programs.ts'
import { MysqlServer } from '../../kit/mysql/server.ts'

/** As many as concurrent requests may ask for in one call. */
const COUNT = 2048

describe.for(flavours.filter(hasServer))('%s that takes 1 MiB', (flavour) => {
  let server: MysqlServer
  beforeAll(async () => {
    server = await MysqlServer.start(flavour, [`--max-allowed-packet=${1024 * 1024}`])
  })
  afterAll(() => server.remove())

  test.for([
    // One character, of which NFKC makes 18.
    ['USERNAME', (index: number) => usernameKey(`${'ﷺ'.repeat(250)}${index}`)],
    ['CHAT', (index: number) => `${'語'.repeat(250)}${index}`],
  ] as const)('answers the longest lists there are, by %s', async ([by, make]) => {
    const database = await makeDatabase(server)
    await makeTables(database.location)
    await database.run(`INSERT INTO users VALUES (7, 'Ada', 'ada', 'ada', '', 1, 1, 1, 0); COMMIT`)
    const types: Observation['type'][] = []
    const store = await openStore(database.location, ({ type }) => types.push(type))
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const values = [...Array.from({ length: COUNT - 1 }, (_, index) => make(index)), 'ada']
    const found = rowsOf(await store.findUsers(by, values))
    expect(found.map((user) => user?.id ?? null)).toEqual([...Array(COUNT - 1).fill(null), 7])
    expect(new Set(types)).toEqual(new Set(['server-warning', 'server-known']))
  })
})
