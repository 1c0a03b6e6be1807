import { expect, test } from 'vitest'
import { rowsOf } from '../../../src/stores/items.ts'
import { postgres } from '../../../src/stores/postgres/engine.ts'
import { makeTables } from '../../../src/stores/transfer.ts'
import { openDatabase, watchStore } from '../../kit/engines.ts'
import { postgresEngine } from '../../kit/postgres/engine.ts'

test('texts that the encoding of the database lacks match nothing, and others are found', async () => {
  const encoding = `ENCODING 'LATIN1' TEMPLATE template0`
  const { location, run } = await openDatabase(postgresEngine, (one) => makeTables(one.location), encoding)
  await run(
    `INSERT INTO users VALUES (1, 'Zoë', 'zoë', 'ÿ', '', 1, 1, true, false),
      (2, 'b', 'b', 'b', '', 1, 1, true, false)`,
  )
  const { store } = await watchStore(location)
  const found = await store.findUsers('USERNAME', ['日本', 'b', '星', 'zoë', '日本', 'none'])
  expect(rowsOf(found).map((user) => user?.id ?? null)).toEqual([null, 2, null, 1, null, null])
  expect(await store.findUsers('CHAT', ['星'])).toEqual([null])
})

test('a server tells any role where it is', async () => {
  const { name, run } = await openDatabase(postgresEngine)
  await run(`CREATE ROLE ${name}; SET ROLE ${name}`)
  const ask = async ({ text }: { text: string }) =>
    (await run(text)).map(([writes, position, ...others]) => [
      writes === 1,
      Number(position),
      ...others.map(String),
    ])
  const read = () => postgres.readPlace(ask, () => expect.unreachable())
  const first = await read()
  expect(first).toMatchObject({ writable: true, history: '1', lineage: expect.stringMatching(/^\d+$/) })
  await run(`RESET ROLE; CREATE TABLE more (); DROP ROLE ${name}`)
  const second = await read()
  expect(second).toEqual({ ...first, position: expect.any(BigInt) })
  expect(second.position).toBeGreaterThan(first.position ?? 0n)
})
