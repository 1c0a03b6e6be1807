import { expect, test } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import { FileError } from '../../../src/data/import/lines.ts'
import { users } from '../../../src/data/users.ts'
import { readFile } from '../read.ts'

const header = 'id,username,chatId,displayName,rank,joinDate,isConfirmed,banned'

test.for([
  ['an unknown column', `${header},nick`, /^line 1: there is no column "nick"/],
  ['another case', header.replace('username', 'Username'), /^line 1: there is no column "Username"/],
  ['a space', header.replace(',rank', ', rank'), /^line 1: there is no column " rank"/],
  ['a semicolon between columns', header.replaceAll(',', ';'), /^line 1: there is no column "id;username;/],
  ['a trailing comma', `${header},`, /^line 1: there is no column ""/],
  ['a column twice', `${header},rank`, /^line 1: the column rank is there twice/],
  ['a missing column', header.replace(',banned', ''), /^line 1: the column banned is missing/],
  ['a blank first line', `\n${header}`, /^line 1: there is no column ""/],
  ['a row in its place', '1,ada,,Ada,1,2,true,false', /^line 1: there is no column "1"/],
  [
    'bytes that are not UTF-8',
    Buffer.from(`${header}\xff`, 'latin1'),
    /^line 1: there is no column "banned\ufffd"/,
  ],
  ['an empty file', '', /^line 1: there is no header/],
  ['a BOM and nothing else', '\ufeff', /^line 1: there is no header/],
  ['old Macintosh line ends', `${header}\r1,ada`, /^line 1: there is no column/],
] as const)('%s', async ([, content, message]) => {
  const reading = readFile('csv', users, content)
  await expect(reading).rejects.toThrow(message)
  await expect(reading).rejects.toBeInstanceOf(FileError)
  // Whatever is wrong, the message says what the header must be.
  await expect(reading).rejects.toThrow(`${header} in any order (chatId may be left out)`)
})

test('the header of apps', async () => {
  await expect(readFile('csv', apps, header)).rejects.toThrow(
    /there is no column "username"; the header must be id,title,version,category,changelogLink,downloadLink in any order$/,
  )
})

test('a name of the wrong column is shown in short', async () => {
  await expect(readFile('csv', users, 'x'.repeat(100_000))).rejects.toThrow(/^.{1,300}$/)
})
