import { expect, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { openStore } from '../../../src/stores/open-store.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { makeDatabase } from '../../kit/postgres/database.ts'

test('texts that the encoding of the database lacks match nothing, and others are found', async () => {
  const latin = await makeDatabase(`ENCODING 'LATIN1' TEMPLATE template0`)
  await makeTables(latin.location)
  await latin.run(
    `INSERT INTO users VALUES (1, 'Zoë', 'zoë', 'ÿ', '', 1, 1, true, false),
      (2, 'b', 'b', 'b', '', 1, 1, true, false)`,
  )
  const store = await openStore(latin.location, () => {})
  const found = await store.findUsers('USERNAME', ['日本', 'b', '星', 'zoë', '日本', 'none'])
  expect(rowsOf(found).map((user) => user?.id ?? null)).toEqual([null, 2, null, 1, null, null])
  expect(await store.findUsers('CHAT', ['星'])).toEqual([null])
  await store.close()
  await latin.remove()
})
