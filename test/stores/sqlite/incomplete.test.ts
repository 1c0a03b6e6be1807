// Rows that an import leaves in the WAL: a file that is renamed leaves them behind.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { csvFile, csvRow, makeWorkplace } from '../../kit/workplace.ts'
import { change } from './support.ts'

test('an import says that a reader keeps its rows out of the file, and what to do', async () => {
  const place = makeWorkplace()
  onTestFinished(place.remove)
  place.write('users.csv', csvFile(csvRow(1)))
  const database = ['--database', 'sqlite:new.db']
  expect(await place.importing('users.csv', ...database)).toMatchObject({ status: 0, stderr: '' })
  const reader = new DatabaseSync(join(place.path, 'new.db'))
  onTestFinished(() => {
    if (reader.isOpen) reader.close()
  })
  reader.exec('BEGIN; SELECT count(*) FROM users')
  place.write('more.csv', csvFile(csvRow(2)))
  const { status, stdout, stderr } = await place.importing('more.csv', ...database)
  expect({ status, stdout }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Imported 1 user in /),
  })
  expect(stderr).toMatch(
    /some are only in new\.db-wal: another program is reading new\.db.*run: sqlite3 new\.db 'PRAGMA/,
  )
  // As the message says.
  reader.close()
  change(join(place.path, 'new.db'), 'PRAGMA wal_checkpoint(TRUNCATE)')
  place.write('last.csv', csvFile(csvRow(3)))
  expect(await place.importing('last.csv', ...database)).toMatchObject({ status: 0, stderr: '' })
})
