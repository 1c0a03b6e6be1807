import { describe, expect, test } from 'vitest'
import { apps } from '../../../src/data/apps.ts'
import { FileError } from '../../../src/data/import/lines.ts'
import { columnFinder } from '../../../src/data/import/record.ts'
import { users } from '../../../src/data/users.ts'
import { column, problems, readFile } from '../read.ts'

const header = 'id,username,chatId,displayName,rank,joinDate,isConfirmed,banned'
const row = (id: number, displayName: string) => `${id},user${id},,${displayName},1,2,true,false`
const read = (text: string | Buffer, chunkSize?: number) => readFile('csv', text, chunkSize)

// Line ends, quotes and a BOM are generated, too.
const two = [header, row(1, 'One'), row(2, 'Two')]
test.for([
  ['LF', `${two.join('\n')}\n`],
  ['CRLF and no newline at the end', two.join('\r\n')],
  ['a BOM before a quoted header', `\ufeff${two.join('\n').replace('id', '"id"')}\n`],
  ['blank lines', `${header}\n\n${row(1, 'One')}\n\n\n${row(2, 'Two')}\n\n`],
  ['blank lines and CRLF', `${header}\r\n\r\n${row(1, 'One')}\r\n\r\n${row(2, 'Two')}\r\n\r\n`],
])('a file may have %s', async ([, text = '']) => {
  for (const chunkSize of [1, 2, 3, 7, 64, 100_000]) {
    const records = await read(text, chunkSize)
    expect([problems(records), column('displayName', records)]).toEqual([[], ['One', 'Two']])
  }
})

test.for<[string, string, unknown[]]>([
  ['a header with a newline alone is no row', `${header}\n`, []],
  ['so is a header alone', header, []],
  [
    'columns may be in another order, and chatId may be left out',
    'banned,isConfirmed,joinDate,rank,displayName,username,id\n1,0,5,4,D,u,3\n',
    [[3, 'u', null, 'D', 4, 5, 0, 1]],
  ],
  [
    'the last row may end with a quoted cell',
    'username,id,displayName,rank,joinDate,isConfirmed,banned\nu,3,D,4,5,0,"1"',
    [[3, 'u', null, 'D', 4, 5, 0, 1]],
  ],
])('%s', async ([, text, expected]) => {
  expect((await read(text)).map(({ result }) => result)).toEqual(expected)
})

test.for([
  ['a comma and a quote', '"a,b ""c"""', 'a,b "c"'],
  ['nothing', '""', ''],
  ['newlines', '"a\nb\r\n\nc"', 'a\nb\r\n\nc'],
  ['rows', `"${row(9, 'x')}\n${row(10, 'y')}"`, `${row(9, 'x')}\n${row(10, 'y')}`],
  ['a BOM', '\ufeffOne', '\ufeffOne'],
  ['no quotes around, but within', 'a"b"', 'a"b"'],
  ['no quotes, and spaces around it', ' c ', ' c '],
])('a cell may have %s', async ([, cell = '', value]) => {
  for (const chunkSize of [1, 5, 64, 100_000]) {
    const records = await read(`${header}\n${row(1, cell)}\n${row(2, 'next')}\n`, chunkSize)
    expect([problems(records), column('displayName', records)]).toEqual([[], [value, 'next']])
  }
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
  const records = await read(`${[header, ...rows].join('\n')}\n`)
  expect(problems(records)).toEqual(expected.map((problem) => expect.stringMatching(problem)))
  expect(column('id', records)).toEqual(ids)
})

// A row of several lines has other rows in it, which would be lost with it.
test.for<[string, rows: string[], says: RegExp]>([
  ['never closed', [row(2, '"Two'), row(3, 'Three')], /^line 3: a quoted cell .* up to 4, .*quote/],
  [
    'closed by the quotes of another row',
    [row(2, '"Two'), row(3, 'Three'), row(4, '"Four"'), row(5, 'Five')],
    /^line 3: a quoted cell .* up to 5, /,
  ],
  [
    'closed within the cell',
    [row(2, '"Two" or'), row(3, 'Three'), row(4, '"Four"'), row(5, 'Five')],
    /^line 3: a quoted cell .* up to 5, /,
  ],
  [
    'open after a cell of two lines',
    [row(2, '"a\nb"').replace(',1,2,', ',"1,2,'), row(3, 'Three')],
    /^line 4: a quoted cell .* up to 5, /,
  ],
  [
    'never closed in a long file',
    [row(2, '"Two'), ...Array(4000).fill(row(3, 'x'.repeat(500)))],
    /^line 3: a quoted cell .* up to \d+, /,
  ],
])('a quote that is %s ends the import at its line', async ([, rows, says]) => {
  const text = `${[header, row(1, 'One'), ...rows].join('\n')}\n`
  for (const chunkSize of [64 * 1024, 10_000_000]) await expect(read(text, chunkSize)).rejects.toThrow(says)
})

test('a rejected row keeps what the file has there', async () => {
  expect(await read(`${header}\n1,"a,b"\n`)).toMatchObject([{ source: ['1', 'a,b'] }])
})

describe('a header', () => {
  const many = Array.from({ length: 9_999 }, (_, at) => `x${at}`).join()
  const meant = '"usernme" (did you mean username?), "nick". The header'
  const insert = 'Is the header missing? Insert it as the first line. The header'
  test.for<[string, content: string | Buffer, ...says: string[]]>([
    ['an unknown column', `${header},nick`, 'there is no column "nick". To import the others, add --ignore-'],
    ['several unknown columns', 'ID,usernme,rank,nick', `there are no columns ${meant}`],
    ['more than are listed', many, '"x7" and 9,991 more. Is the header missing?'],
    ['a trailing comma', `${header},`, 'there is no column ""'],
    ['a column twice', `${header},rank`, 'the column rank is there twice'],
    ['a column twice, spelt differently', `${header},CHAT_ID`, 'the column CHAT_ID is there twice'],
    ['a missing column', header.replace(',banned', ''), 'the column banned is missing'],
    ['a blank line before it', `\n${header}`, 'there is no column ""'],
    ['a row in its place', '1,ada,chat-1,A,1,2,true,false', 'there are no columns "1", "ada", ', insert],
    ['no UTF-8', Buffer.from(`${header}\xff`, 'latin1'), 'there is no column "banned\ufffd"'],
    ['nothing', '', 'there is no header'],
    ['a BOM and nothing else', '\ufeff', 'there is no header'],
    ['old Macintosh line ends', `${header}\r1,ada`, 'there are no columns "banned'],
  ])('with %s is refused', async ([, content, ...says]) => {
    const reading = read(content)
    await expect(reading).rejects.toBeInstanceOf(FileError)
    // The message says what the header must be, whatever is wrong.
    for (const said of ['line 1: ', ...says, `${header} in any order (chatId may be left out)`])
      await expect(reading).rejects.toThrow(said)
  })

  test.for([
    ['usernme', 'username', 'username'],
    ['is_confirmd', 'isConfirmed', 'isConfirmed'],
    ['joined', 'joinDate', null],
    ['x'.repeat(1_000_000), 'username', null],
  ] as const)('with %s for %s is told: did you mean %s?', async ([given, meant, said]) => {
    const suggestion = said === null ? ' To import .*' : ` Did you mean ${said}\\?`
    const message = new RegExp(`^line 1: .{1,250}\\.${suggestion} The header must be `)
    await expect(read(header.replace(meant, given))).rejects.toThrow(message)
  })

  test.for([
    ['user_name', 'username'],
    ['Username', 'username'],
    ['display name', 'displayName'],
    ['DISPLAYNAME', 'displayName'],
    [' Is-Confirmed', 'isConfirmed'],
    ['CHAT_ID', 'chatId'],
  ])('may have %s for %s', async ([given = '', meant = '']) => {
    expect(problems(await read(`${header.replace(meant, given)}\n${row(1, 'One')}`))).toEqual([])
  })

  test.for([
    ['csv', '{"id":1}\n', 'line 1: the file looks like JSON Lines. Add --format jsonl'],
    ['jsonl', `${header}\n1,ada`, 'line 1: the file looks like CSV. Add --format csv'],
    ['jsonl', `${header.replaceAll(',', '\t')}\n1`, 'line 1: the file looks like CSV. Add --format csv'],
  ] as const)('of %s is told from the other format: %s', async ([format, content, says]) => {
    await expect(readFile(format, content)).rejects.toThrow(says)
  })

  test('of apps has their columns', async () => {
    await expect(readFile('csv', header, 64, apps)).rejects.toThrow(
      /there are no columns "username", "chatId", .*\. The header must be id,title,version,category,changelogLink,downloadLink in any order$/,
    )
  })
})

describe('the delimiter', () => {
  const quoted = '"a,b;c\td|e"'
  test.for<[string, string, string, number]>([
    ['is a comma', ',', '', 2],
    ['is a semicolon', ';', '', 2],
    ['is a tab', '\t', '', 2],
    ['is a vertical bar', '|', '', 2],
    ['is named by the line of Excel', ';', 'sep=;\n', 3],
    ['is named in quotes, before CRLF', '\t', '"sep=\t"\r\n', 3],
    ['is named after a BOM, in capitals', '~', '\ufeffSEP=~\n', 3],
  ])('%s', async ([, delimiter, start, line]) => {
    for (const head of [header, header.replace('id', '"ID"'), header.toUpperCase()]) {
      const lines = [head, row(1, 'One'), row(2, 'quoted')].map((text) => text.replaceAll(',', delimiter))
      const text = start + lines.join('\r\n').replace('quoted', quoted)
      for (const chunkSize of [1, 7, 100_000]) {
        const records = await read(text, chunkSize)
        expect([problems(records), column('displayName', records)]).toEqual([
          [],
          ['One', quoted.slice(1, -1)],
        ])
        expect(records[0]?.line).toBe(line)
      }
    }
  })

  test('is what the operator says, though the file says otherwise', async () => {
    const text = `sep=,\n${[header, row(1, 'One')].join('\n').replaceAll(',', ';')}`
    const records = await readFile('csv', text, 64, users, { delimiter: ';' })
    expect([problems(records), column('displayName', records)]).toEqual([[], ['One']])
  })

  test.for(['sep=;', 'sep=;\n', '\ufeffsep=;\r\n'])(
    'is named, and nothing else is there: %j',
    async (text) => {
      await expect(read(text)).rejects.toThrow(/^line [12]: there is no header/)
    },
  )

  test('is a comma though a cell has semicolons', async () => {
    const name = 'a;b;c;d;e;f;g;h;i'
    expect(column('displayName', await read(`${header}\n${row(1, name)}`))).toEqual([name])
  })
})

describe('NULL and \\N', () => {
  test.for(['NULL', '\\N'])('are no chatId: %s', async (text) => {
    const records = await read(`${header}\n${row(1, 'One').replace(',,', `,${text},`)}`)
    expect([problems(records), column('chatId', records)]).toEqual([[], [null]])
  })

  test.for(['username', 'displayName', 'rank', 'joinDate', 'banned'])('cannot be a %s', async (name) => {
    const cells = row(1, 'One').split(',')
    for (const text of ['NULL', '\\N']) {
      const changed = cells.with(header.split(',').indexOf(name), text)
      const complaint = `2: ${name} cannot be ${text}, which means no value: it must be `
      expect(problems(await read(`${header}\n${changed}`))).toEqual([expect.stringContaining(complaint)])
    }
  })

  test('are named with all else that is wrong', async () => {
    expect(problems(await read(`${header}\n0,a:b,NULL,\\N,x,NULL,NULL,0`))).toEqual([
      expect.stringMatching(
        /^2: id cannot be "0".*; username cannot be "a:b".*; displayName cannot be \\N, .*; rank cannot be "x".*; joinDate cannot be NULL, .*; isConfirmed cannot be NULL, /,
      ),
    ])
  })

  test.for(['null', ' NULL', 'NULL.', 'N', '\\n'])('are no other text: %j', async (text) => {
    expect(column('displayName', await read(`${header}\n${row(1, text)}`))).toEqual([text])
  })
})

describe('columns to ignore', () => {
  const text = `e-mail,${header},Größe,\n,${row(1, 'One').replace(',,', ',chat,')},x,`
  const ignoring = (names: readonly string[] | true) =>
    readFile('csv', text, 64, users, { findColumn: columnFinder(users, names) })

  test('are all that are unknown', async () => {
    const records = await ignoring(true)
    expect([problems(records), column('chatId', records)]).toEqual([[], ['chat']])
  })

  test('are those that are named, however they are spelt', async () => {
    const records = await ignoring(['E_Mail', 'größe', '', 'chat id', 'other'])
    expect([problems(records), column('chatId', records)]).toEqual([[], [null]])
    await expect(ignoring(['e-mail', ''])).rejects.toThrow('line 1: there is no column "Größe". To import')
    await expect(ignoring(['e-mail', 'größe', '', 'rank'])).rejects.toThrow('the column rank is missing')
  })
})
