import { expect, test } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import { FileError } from '../../../src/data/import/lines.ts'
import { users } from '../../../src/data/users.ts'
import { readFile } from '../read.ts'

const header = 'id,username,chatId,displayName,rank,joinDate,isConfirmed,banned'

test.for([
  ['an unknown column', `${header},nick`, /^line 1: there is no column "nick"/],
  ['another case', header.replace('username', 'Username'), /^line 1: there is no column "Username"/],
  [
    'several',
    'ID,user_name,rank,nick',
    /^line 1: there are no columns "ID" \(did you mean id\?\), "user_name" \(did you mean username\?\), "nick"\. The header/,
  ],
  [
    'more than are listed',
    Array.from({ length: 9_999 }, (_, at) => `x${at}`).join(),
    /^line 1: .*"x7" and 9,991 more\. Is the header missing\?/,
  ],
  ['a space', header.replace(',rank', ', rank'), /^line 1: there is no column " rank"/],
  ['a trailing comma', `${header},`, /^line 1: there is no column ""/],
  ['a column twice', `${header},rank`, /^line 1: the column rank is there twice/],
  ['a missing column', header.replace(',banned', ''), /^line 1: the column banned is missing/],
  ['a blank first line', `\n${header}`, /^line 1: there is no column ""/],
  [
    'a row in its place',
    '1,ada,chat-1,Ada,1,2,true,false',
    /^line 1: there are no columns "1", "ada", .* Is the header missing\? Insert it as the first line\. The header/,
  ],
  [
    'bytes that are not UTF-8',
    Buffer.from(`${header}\xff`, 'latin1'),
    /^line 1: there is no column "banned\ufffd"/,
  ],
  ['an empty file', '', /^line 1: there is no header/],
  ['a BOM and nothing else', '\ufeff', /^line 1: there is no header/],
  ['old Macintosh line ends', `${header}\r1,ada`, /^line 1: there are no columns "banned/],
] as const)('%s', async ([, content, message]) => {
  const reading = readFile('csv', users, content)
  await expect(reading).rejects.toThrow(message)
  await expect(reading).rejects.toBeInstanceOf(FileError)
  // Whatever is wrong, the message says what the header must be.
  await expect(reading).rejects.toThrow(`${header} in any order (chatId may be left out)`)
})

test.for([
  ['user_name', 'username'],
  ['Username', 'username'],
  ['display name', 'displayName'],
  ['DISPLAYNAME', 'displayName'],
  ['usernme', 'username'],
  ['is_confirmed', 'isConfirmed'],
  ['joined', 'joinDate', null],
  ['x'.repeat(1_000_000), 'username', null],
] as const)('%s is perhaps %s', async ([given, meant, said = meant]) => {
  const reading = readFile('csv', users, header.replace(meant, given))
  const suggestion = said === null ? '' : ` Did you mean ${said}\\?`
  await expect(reading).rejects.toThrow(new RegExp(`^line 1: .*\\.${suggestion} The header must be `))
})

test.for([
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
] as const)('%j between columns', async ([delimiter, name]) => {
  const says = `line 1: the columns are separated by ${name}. Save the file with commas between columns`
  for (const first of [header, 'ID,user_name', `"id","${'x'.repeat(500)}"`])
    await expect(readFile('csv', users, `${first.replaceAll(',', delimiter)}\n`)).rejects.toThrow(says)
})

test.for([
  ['csv', '{"id":1}\n', 'line 1: the file looks like JSON Lines. Add --format jsonl'],
  ['jsonl', `${header}\n1,ada`, 'line 1: the file looks like CSV. Add --format csv'],
  ['jsonl', `${header.replaceAll(',', '\t')}\n1`, 'line 1: the file looks like CSV. Add --format csv'],
] as const)('%s, and the file is of the other format: %s', async ([format, content, says]) => {
  await expect(readFile(format, users, content)).rejects.toThrow(says)
})

test('the header of apps', async () => {
  await expect(readFile('csv', apps, header)).rejects.toThrow(
    /there are no columns "username", "chatId", .*\. The header must be id,title,version,category,changelogLink,downloadLink in any order$/,
  )
})

test('a name of the wrong column is shown in short', async () => {
  await expect(readFile('csv', users, 'x'.repeat(100_000))).rejects.toThrow(/^.{1,300}$/)
})
