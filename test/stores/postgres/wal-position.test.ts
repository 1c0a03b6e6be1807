// What a server is asked that does not say where it is.

import { expect, test } from 'vitest'
import { createPositionReader } from '../../../src/stores/postgres/wal-position.ts'

/** Reads three times from an engine that fails some questions. */
async function readThrice(failing: Readonly<Record<string, string>>, isWanted = true) {
  const asked: string[] = []
  const unknown: string[] = []
  const read = createPositionReader(
    async ({ name }) => {
      asked.push(name)
      const code = failing[name]
      if (code !== undefined) throw Object.assign(new Error('failed'), { code })
      return name === 'nothing' ? [[1]] : [[true, 500]]
    },
    isWanted,
    (what) => unknown.push(what),
  )
  const read3: unknown[] = []
  for (let round = 0; round < 3; round++) read3.push(await read().catch(() => 'failed'))
  return { asked: asked.join(' '), unknown, read: read3 }
}

const position = { acceptsWrites: true, position: 500 }

test('an engine without a history is asked for its position from then on, in one question each time', async () => {
  for (const code of ['42883', '42501', '0A000'])
    expect(await readThrice({ place: code })).toEqual({
      asked: 'place position position position',
      unknown: ['history-unknown'],
      read: [position, position, position],
    })
})

test('one without a log is only asked whether it is there', async () => {
  expect(await readThrice({ place: '42883', position: '42883' })).toEqual({
    asked: 'place position nothing nothing nothing',
    unknown: ['history-unknown', 'lag-unknown'],
    read: [null, null, null],
  })
})

test.for(['57P01', '40001'])('a server that fails with %s is asked again', async (code) => {
  expect(await readThrice({ place: code })).toEqual({
    asked: 'place place place',
    unknown: [],
    read: ['failed', 'failed', 'failed'],
  })
})

test('a lone server is only asked whether it is there', async () => {
  expect(await readThrice({}, false)).toMatchObject({ asked: 'nothing nothing nothing', unknown: [] })
})
