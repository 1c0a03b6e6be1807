// CSV as people and programs write it. The generated users have line ends, quotes, a BOM and chunks.

import { expect, test } from 'vitest'
import { FileError } from '../../../src/data/import/lines.ts'
import { columnFinder } from '../../../src/data/import/record.ts'
import { users } from '../../../src/data/users.ts'
import { column, problems, readFile } from '../read.ts'

const header = 'id,username,chatId,displayName,rank,joinDate,isConfirmed,banned'
const row = (id: number, displayName: string) => `${id},user${id},,${displayName},1,2,true,false`
const read = (text: string | Buffer, chunkSize?: number) => readFile('csv', text, chunkSize)
const file = (...rows: string[]) => `${[header, ...rows].join('\n')}\n`

test.for<[string, text: string, expected: unknown[]]>([
  ['a header alone', header, []],
  ['blank lines', `${header}\n\n${row(1, 'D')}\r\n\r\n\n`, [[1, 'user1', null, 'D', 1, 2, 1, 0]]],
  [
    'columns in another order, without chatId, and a quoted cell at the end',
    'banned,isConfirmed,joinDate,rank,displayName,username,id\n1,0,5,4,D,u,"3"',
    [[3, 'u', null, 'D', 4, 5, 0, 1]],
  ],
  ['rows in a cell', file(row(1, `"${row(8, 'x')}\n${row(9, 'y')}"`)), [expect.arrayContaining([1])]],
  ['quotes within a cell', file(row(1, 'a"b" ')), [[1, 'user1', null, 'a"b" ', 1, 2, 1, 0]]],
])('a file may have %s', async ([, text, expected]) => {
  for (const chunkSize of [1, 7, 100_000])
    expect((await read(text, chunkSize)).map(({ result }) => result)).toEqual(expected)
})

test.for(['\n', '\r\n'])('line numbers count newlines in cells, with %j', async (newline) => {
  const cells = [`"a${newline}b${newline}c"`, '"d\ne"', 'f'].map((cell, at) => row(at + 1, cell))
  const lines = [header, cells[0], '', cells[1], 'bad', cells[2], 'bad'].join(newline)
  for (const chunkSize of [1, 50, 100_000])
    expect((await read(lines, chunkSize)).map(({ line }) => line)).toEqual([2, 6, 8, 9, 10])
})

test.for<[string, rows: string[], problems: RegExp[], ids: number[]]>([
  ['has too few cells', ['1,ada', row(3, 'Three')], [/^2: 2 cells, but the header has 8$/], [3]],
  ['has too many', [`${row(2, 'Two')},`, row(3, 'Three')], [/^2: 9 cells, but the header has 8$/], [3]],
  ['has text after a closing quote', [row(1, '"a"b"'), row(2, 'Two')], [/^2: .*quote/], [2]],
  ['has an open quote in the last line', [row(2, 'Two'), row(1, '"One')], [/^3: .*quote/], [2]],
])('a row that %s is refused', async ([, rows, expected, ids]) => {
  const records = await read(file(...rows))
  expect(problems(records)).toEqual(expected.map((problem) => expect.stringMatching(problem)))
  expect(column('id', records)).toEqual(ids)
})

// A row of several lines has other rows in it, which would be lost with it.
test.for<[string, rows: string[], lines: RegExp]>([
  ['never closed', [row(2, '"Two'), row(3, 'Three')], /^line 3: .* up to 4, .*quote/],
  [
    'closed by the quotes of another row',
    [row(2, '"Two'), row(3, 'Three'), row(4, '"Four"'), row(5, 'Five')],
    /^line 3: .* up to 5, /,
  ],
  [
    'closed within the cell',
    [row(2, '"Two" or'), row(3, 'Three'), row(4, '"Four"')],
    /^line 3: .* up to 5, /,
  ],
  [
    'open after a cell of two lines',
    [row(2, '"a\nb"').replace(',1,2,', ',"1,2,'), row(3, 'Three')],
    /^line 4: .* up to 5, /,
  ],
  [
    'never closed in a long file',
    [row(2, '"Two'), ...Array(4000).fill(row(3, 'x'.repeat(500)))],
    /^line 3: /,
  ],
])('a quote that is %s ends the import at its line', async ([, rows, says]) => {
  for (const chunkSize of [64 * 1024, 10_000_000])
    await expect(read(file(row(1, 'One'), ...rows), chunkSize)).rejects.toThrow(says)
})

test.for<[string, content: string | Buffer, says: string]>([
  ['an unknown column', `${header},nick`, 'there is no column "nick"'],
  ['several unknown columns', 'ID,usernme,rank,nick', 'there are no columns "usernme", "nick"'],
  ['thousands', Array.from({ length: 9_999 }, (_, at) => `x${at}`).join(), '"x7" and 9,991 more'],
  ['a trailing comma', `${header},`, 'there is no column ""'],
  ['a column twice, spelt differently', `${header},CHAT_ID`, 'the column CHAT_ID is there twice'],
  ['a missing column', header.replace(',banned', ''), 'the column banned is missing'],
  ['a blank line before it', `\n${header}`, 'there is no column ""'],
  ['a row in its place', '1,ada,chat-1,A,1,2,true,false', 'there are no columns "1", "ada", '],
  ['no UTF-8', Buffer.from(`${header}\xff`, 'latin1'), 'there is no column "banned\ufffd"'],
  ['nothing', '', 'there is no header'],
  ['a BOM and nothing else', '\ufeff', 'there is no header'],
  ['a delimiter and nothing else', 'sep=;', 'there is no header'],
])('a header with %s is refused', async ([, content, says]) => {
  const reading = read(content)
  await expect(reading).rejects.toBeInstanceOf(FileError)
  // The message says what the header must be, whatever is wrong.
  for (const said of ['line 1: ', says, `${header} in any order (chatId may be left out)`])
    await expect(reading).rejects.toThrow(said)
})

test.for([
  ['user_name', 'username'],
  ['display name', 'displayName'],
  [' Is-Confirmed', 'isConfirmed'],
  ['CHAT_ID', 'chatId'],
])('a header may have %s for %s', async ([given = '', meant = '']) => {
  expect(problems(await read(file(row(1, 'One')).replace(meant, given)))).toEqual([])
})

test.for<[string, delimiter: string, start: string, line: number]>([
  ['is a comma', ',', '', 2],
  ['is a semicolon', ';', '', 2],
  ['is a tab', '\t', '', 2],
  ['is a vertical bar', '|', '', 2],
  ['is named by the line of Excel', ';', 'sep=;\n', 3],
  ['is named in quotes, before CRLF', '\t', '"sep=\t"\r\n', 3],
  ['is named after a BOM, in capitals', '~', '\ufeffSEP=~\n', 3],
])('the delimiter %s', async ([, delimiter, start, line]) => {
  const cells = [header.replace('id', '"ID"'), row(1, 'One'), row(2, 'quoted')]
  const text = start + cells.map((text) => text.replaceAll(',', delimiter)).join('\r\n')
  for (const chunkSize of [1, 7, 100_000]) {
    const records = await read(text.replace('quoted', '"a,b;c\td|e"'), chunkSize)
    expect([problems(records), column('displayName', records)]).toEqual([[], ['One', 'a,b;c\td|e']])
    expect(records[0]?.line).toBe(line)
  }
})

test('the delimiter is what the operator says, though the file says otherwise', async () => {
  const text = `sep=,\n${file(row(1, 'One')).replaceAll(',', ';')}`
  const records = await readFile('csv', text, 64, users, { delimiter: ';' })
  expect([problems(records), column('displayName', records)]).toEqual([[], ['One']])
})

test.for(['NULL', '\\N'])('%s is no chatId, and cannot be any other cell', async (text) => {
  const cells = row(1, 'One').split(',')
  for (const [at, name] of header.split(',').entries()) {
    const records = await read(file(cells.with(at, text).join()))
    if (name === 'chatId') expect(column(name, records)).toEqual([null])
    else expect(problems(records)).toEqual([`2: ${name} cannot be ${text}, which means no value`])
  }
})

test.for(['null', ' NULL', 'NULL.', '\\n'])('%j is a text as any other', async (text) => {
  expect(column('displayName', await read(file(row(1, text))))).toEqual([text])
})

test('columns are ignored that are unknown, or named, however they are spelt', async () => {
  const text = `e-mail,${header},Größe,\n,${row(1, 'One').replace(',,', ',chat,')},x,`
  const ignoring = (names: readonly string[] | true) =>
    readFile('csv', text, 64, users, { findColumn: columnFinder(users, names) })
  const chats = async (names: readonly string[] | true) => column('chatId', await ignoring(names))
  expect(await chats(true)).toEqual(['chat'])
  expect(await chats(['E_Mail', 'größe', '', 'chat id', 'other'])).toEqual([null])
  await expect(ignoring(['e-mail', ''])).rejects.toThrow(/no column "Größe"\. .* add --ignore-columns$/)
  await expect(ignoring(['e-mail', 'größe', '', 'rank'])).rejects.toThrow('the column rank is missing')
})
