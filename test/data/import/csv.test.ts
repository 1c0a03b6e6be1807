import { describe, expect, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { column, problems, readFile } from '../read.ts'

const header = 'id,username,chatId,displayName,rank,joinDate,isConfirmed,banned'
const row = (id: number, displayName: string) => `${id},user${id},,${displayName},1,2,true,false`
const read = (text: string, chunkSize?: number) => readFile('csv', users, text, chunkSize)

async function names(text: string, chunkSize?: number) {
  const records = await read(text, chunkSize)
  expect(problems(records)).toEqual([])
  return column(users, 'displayName', records)
}

describe('the shape of a file', () => {
  const two = [header, row(1, 'One'), row(2, 'Two')]

  test.for([
    ['LF', `${two.join('\n')}\n`],
    ['CRLF', `${two.join('\r\n')}\r\n`],
    ['no newline at the end', two.join('\n')],
    ['CRLF and no newline at the end', two.join('\r\n')],
    ['BOM', `\ufeff${two.join('\n')}\n`],
    ['BOM and CRLF', `\ufeff${two.join('\r\n')}\r\n`],
    ['BOM before a quoted header', `\ufeff${two.join('\n').replace('id', '"id"')}\n`],
    ['blank lines', `${header}\n\n${row(1, 'One')}\n\n\n${row(2, 'Two')}\n\n`],
    ['blank lines and CRLF', `${header}\r\n\r\n${row(1, 'One')}\r\n\r\n${row(2, 'Two')}\r\n\r\n`],
  ])('%s', async ([, text = '']) => {
    for (const chunkSize of [1, 2, 3, 7, 64, 100_000])
      expect(await names(text, chunkSize)).toEqual(['One', 'Two'])
  })

  test('a BOM anywhere else is a character', async () => {
    expect(await names(`${header}\n${row(1, '\ufeffOne')}\n`)).toEqual(['\ufeffOne'])
  })

  test('a header and nothing else', async () => {
    expect(await read(`${header}\n`)).toEqual([])
    expect(await read(header)).toEqual([])
  })

  test('columns in another order, and without chatId', async () => {
    const records = await read('banned,isConfirmed,joinDate,rank,displayName,username,id\n1,0,5,4,D,u,3\n')
    expect(records).toMatchObject([{ line: 2, result: [3, 'u', null, 'D', 4, 5, 0, 1] }])
  })

  test('the last row is read without a newline even after a quoted cell', async () => {
    const text = 'username,id,displayName,rank,joinDate,isConfirmed,banned\nu,3,D,4,5,0,"1"'
    expect(await read(text)).toMatchObject([{ result: [3, 'u', null, 'D', 4, 5, 0, 1] }])
  })
})

describe('quoted cells', () => {
  test.for([
    ['a comma', '"a,b"', 'a,b'],
    ['a quote', '"say ""hi"""', 'say "hi"'],
    ['only a quote', '""""', '"'],
    ['nothing', '""', ''],
    ['a newline', '"a\nb"', 'a\nb'],
    ['CRLF', '"a\r\nb"', 'a\r\nb'],
    ['a blank line', '"a\n\nb"', 'a\n\nb'],
    ['spaces at the edges', '"  a  "', '  a  '],
    [
      'what looks like a row',
      `"${row(9, 'x').replaceAll('"', '')}\n${row(10, 'y')}"`,
      `${row(9, 'x')}\n${row(10, 'y')}`,
    ],
  ])('%s', async ([, cell = '', value = '']) => {
    for (const chunkSize of [1, 5, 64, 100_000]) {
      expect(await names(`${header}\n${row(1, cell)}\n${row(2, 'next')}\n`, chunkSize)).toEqual([
        value,
        'next',
      ])
    }
  })

  test('quotes inside an unquoted cell, and spaces around it, are kept', async () => {
    expect(await names(`${header}\n${row(1, 'a"b"')}\n${row(2, ' c ')}\n`)).toEqual(['a"b"', ' c '])
  })

  test.for(['\n', '\r\n'])('line numbers after newlines in cells, with %j', async (newline) => {
    const rows = [
      header,
      row(1, `"a${newline}b${newline}c"`),
      '',
      row(2, '"d\ne"'),
      'bad',
      row(3, 'f'),
      'bad',
    ]
    for (const chunkSize of [1, 50, 100_000]) {
      const records = await read(rows.join(newline), chunkSize)
      expect(records.map(({ line }) => line)).toEqual([2, 6, 8, 9, 10])
    }
  })
})

describe('rows that are wrong', () => {
  test('too few and too many cells', async () => {
    const records = await read(`${header}\n1,ada\n${row(2, 'Two')},\n${row(3, 'Three')}\n`)
    expect(problems(records)).toEqual([
      expect.stringMatching(/^2: 2 cells, but the header has 8$/),
      expect.stringMatching(/^3: 9 cells, but the header has 8$/),
    ])
    expect(column(users, 'id', records)).toEqual([3])
  })

  test('text after a closing quote is refused, and the rows after it are read', async () => {
    const records = await read(`${header}\n${row(1, '"a"b"')}\n${row(2, 'Two')}\n`)
    expect(problems(records)).toEqual([expect.stringMatching(/^2: .*quote/)])
    expect(column(users, 'id', records)).toEqual([2])
  })

  test('a quote that is never closed is reported at the line it opens', async () => {
    const records = await read(`${header}\n${row(1, 'One')}\n${row(2, '"Two')}\n${row(3, 'Three')}\n`)
    expect(problems(records)).toEqual([expect.stringMatching(/^3: .*quote/)])
    expect(column(users, 'id', records)).toEqual([1])
  })

  test('a quote left open in a long file ends the import at that line', async () => {
    const text = `${header}\n${row(1, '"One')}\n${`${row(2, 'x'.repeat(500))}\n`.repeat(4000)}`
    await expect(read(text)).rejects.toThrow(/^line 2: .*quote/)
  })

  test('a rejected row keeps what the file has there', async () => {
    const [record] = await read(`${header}\n1,"a,b"\n`)
    expect(record?.source).toEqual(['1', 'a,b'])
  })
})
