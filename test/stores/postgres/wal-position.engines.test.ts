import { expect, test } from 'vitest'
import { createPositionReader } from '../../../src/stores/postgres/wal-position.ts'
import { makeDatabase } from '../../kit/postgres/database.ts'

test('a server tells any role where it is', async () => {
  const database = await makeDatabase()
  await database.run('CREATE ROLE anybody LOGIN')
  await database.run('SET ROLE anybody')
  const ask = async ({ text }: { text: string }) =>
    (await database.run(text)).map(([writes, position, system, started, timeline]) => [
      writes === 1,
      Number(position),
      String(system),
      String(started),
      Number(timeline),
    ])
  const read = createPositionReader(ask, true, () => expect.unreachable())
  const first = await read()
  expect(first).toMatchObject({ acceptsWrites: true, timeline: 1, system: expect.stringMatching(/^\d+$/) })
  await database.run('RESET ROLE; CREATE TABLE more (); DROP ROLE anybody')
  const second = await read()
  expect(second).toEqual({ ...first, position: expect.any(Number) })
  expect(second?.position).toBeGreaterThan(first?.position ?? 0)
  await database.remove()
})
