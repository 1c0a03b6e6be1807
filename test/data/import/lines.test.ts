import { describe, expect, test } from 'vitest'
import { MAX_RECORD_LENGTH } from '../../../src/data/import/lines.ts'
import { users } from '../../../src/data/users.ts'
import { column, problems, readFile } from '../read.ts'

const header = 'id,username,displayName,rank,joinDate,isConfirmed,banned'
const csvRow = (id: number, name: string) => `${id},user${id},${name},1,2,true,false\n`
const jsonRow = (id: number, name: string) =>
  `{"id":${id},"username":"user${id}","displayName":"${name}","rank":1,"joinDate":2,"isConfirmed":true,"banned":false}\n`

const formats = {
  csv: { start: `${header}\n`, row: csvRow, firstLine: 2 },
  jsonl: { start: '', row: jsonRow, firstLine: 1 },
} as const

describe.for(Object.keys(formats) as (keyof typeof formats)[])('%s', (format) => {
  const { start, row, firstLine } = formats[format]

  test('characters of several bytes across chunk borders', async () => {
    const texts = ['é', '花子', '🌸🌸', 'a\u0301', '\u{10ffff}', 'नमस्ते']
    const content = start + texts.map((text, index) => row(index + 1, text)).join('')
    for (let chunkSize = 1; chunkSize <= 12; chunkSize++) {
      const records = await readFile(format, users, content, chunkSize)
      expect(problems(records)).toEqual([])
      expect(column(users, 'displayName', records)).toEqual(texts)
    }
  })

  test.for([
    ['a lone continuation byte', [0x80]],
    ['Latin-1', [0xe9]],
    ['a character cut short', [0xf0, 0x9f, 0x8c]],
    ['a character cut short at the end of the line', [0xe8, 0x8a]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['0xff', [0xff]],
  ] as const)('bytes that are not UTF-8 concern their own line: %s', async ([, bytes]) => {
    const broken = row(2, '@').split('@')
    const content = Buffer.concat([
      Buffer.from(start + row(1, '花子')),
      Buffer.from(broken[0] ?? ''),
      Buffer.from(bytes),
      Buffer.from(broken[1] ?? ''),
      Buffer.from(row(3, '🌸')),
    ])
    for (const chunkSize of [1, 2, 3, 5, 7, 100_000]) {
      const records = await readFile(format, users, content, chunkSize)
      expect(problems(records)).toEqual([`${firstLine + 1}: not valid UTF-8`])
      expect(column(users, 'displayName', records)).toEqual(['花子', '🌸'])
    }
  })

  test('a character cut short by the end of the file', async () => {
    const content = Buffer.concat([
      Buffer.from(start + row(1, 'a') + row(2, 'b').trimEnd()),
      Buffer.from([0xf0, 0x9f]),
    ])
    expect(problems(await readFile(format, users, content, 3))).toEqual([`${firstLine + 1}: not valid UTF-8`])
  })

  test('U+FFFD itself is a character like any other', async () => {
    const records = await readFile(format, users, start + row(1, '\ufffd'), 2)
    expect(column(users, 'displayName', records)).toEqual(['\ufffd'])
  })

  test('NUL is refused with its line', async () => {
    const content = start + row(1, 'a') + row(2, format === 'csv' ? 'b\0' : 'b\\u0000')
    expect(problems(await readFile(format, users, content))).toEqual([
      expect.stringMatching(`^${firstLine + 1}: displayName cannot be "b\\\\u0000"`),
    ])
  })

  test('a line of almost 1 MiB is read', async () => {
    const name = 'x'.repeat(MAX_RECORD_LENGTH - 200)
    const records = await readFile(format, users, start + row(1, 'a') + row(2, name) + row(3, 'c'))
    expect(column(users, 'displayName', records)).toEqual(['a', name, 'c'])
  })

  test.for(['\n', ''])('a line of more than 1 MiB ends the import, before %j', async (end) => {
    const content = start + row(1, 'a') + row(2, 'x'.repeat(2 * MAX_RECORD_LENGTH)).trimEnd() + end
    await expect(readFile(format, users, content)).rejects.toThrow(
      `line ${firstLine + 1}: longer than ${MAX_RECORD_LENGTH} bytes`,
    )
  })
})

test('a quoted cell that is broken on its second line is one record', async () => {
  const content = Buffer.from(`${header}\n${csvRow(1, '"a\n@\nb"')}${csvRow(2, 'ok')}`)
  content[content.indexOf('@')] = 0xff
  for (const chunkSize of [1, 4, 100_000]) {
    const records = await readFile('csv', users, content, chunkSize)
    expect(problems(records)).toEqual(['2: not valid UTF-8'])
    expect(column(users, 'id', records)).toEqual([2])
  }
})
