// JSON Lines; and lines of both formats: characters across chunks, broken UTF-8, long lines.

import { expect, test } from 'vitest'
import { MAX_RECORD_LENGTH } from '../../../src/data/import/lines.ts'
import { column, type Format, problems, readFile } from '../read.ts'

const good: Readonly<Record<string, unknown>> = {
  ...{ id: 1, username: 'ada', chatId: null, displayName: 'Ada' },
  ...{ rank: 1, joinDate: 2, isConfirmed: true, banned: false },
}
const read = (text: string, chunkSize?: number) => readFile('jsonl', text, chunkSize)
const one = JSON.stringify(good)
const two = JSON.stringify({ ...good, id: 2 })

/** A line with one member written in JSON that `JSON.stringify` would not write. */
function line(name: string, json: string): string {
  const members = Object.entries({ ...good, [name]: '@' })
  return `{${members.map(([key, value]) => `"${key}":${value === '@' ? json : JSON.stringify(value)}`)}}\n`
}

test('blank lines are skipped and counted, white space and the order of members do not count', async () => {
  const reversed = JSON.stringify(Object.fromEntries(Object.entries(good).reverse()))
  for (const chunkSize of [1, 3, 64, 100_000]) {
    const records = await read(`\n  ${reversed}\t\r\n\r\n\n[]\n${two}\n{`, chunkSize)
    expect(records.map((record) => record.line)).toEqual([2, 5, 6, 7])
    expect([column('id', records), problems(records)]).toEqual([
      [1, 2],
      ['5: not a JSON object', '7: not valid JSON'],
    ])
  }
  expect(await read('')).toEqual([])
})

test.for([
  ...['{"id":1,}', "{'id':1}", 'ada', '   ', one + one].map((text) => [text, 'not valid JSON'] as const),
  ...['null', '"ada"', '1'].map((text) => [text, 'not a JSON object'] as const),
  [`{"id":${'['.repeat(200)}`, 'not a JSON object of plain values'],
  [
    '{"id":0,"username":5,"rank":"x","joinDate":1,"isConfirmed":1,"banned":null}',
    /^id cannot be "0".*; username cannot be "5": it must be a JSON string: .*; displayName is missing; rank cannot be "x".*; banned is missing$/,
  ],
  ['{"nick":1,"disply name":3}', 'there are no columns "nick", "disply name"'],
  ['{"chatId":"a","chat_id":"b"}', 'the column chatId is there twice'],
  ...['', '__proto__', 'constructor'].map(
    (name) => [`{"${name}":{}}`, `there is no column "${name}"`] as const,
  ),
] as const)('no record: %s', async ([text, problem]) => {
  const found = problems(await read(`${text}\n${one}`))
  const says = typeof problem === 'string' ? problem : expect.stringMatching(problem)
  expect(found.map((text) => text.replace(/^1: /, ''))).toEqual([says])
})

const MAX = Number.MAX_SAFE_INTEGER
test.for<[name: string, valid: Readonly<Record<string, unknown>>, invalid: string]>([
  ['id', { 7: 7, '"007"': 7, '1.0': 1, '1e3': 1000, [MAX]: MAX }, '0 1.5 -1 true "1e3" [1] {} 1e400'],
  ['username', {}, '5 true ["ada"] "" "\\ud800"'],
  [
    'displayName',
    { '"NULL"': 'NULL', '"\\ud83c\\udf38\\u0022\\n"': '🌸"\n' },
    '5 "\\udc00\\ud800" "\\u0000"',
  ],
  ['chatId', { null: null, '""': null }, '5 false {}'],
  ['rank', { '-0': 0, '"-0"': 0, '-2147483648': -2147483648 }, '1.5 true 2147483648'],
  ['joinDate', { [`-${MAX}`]: -MAX }, '1e16'],
  ['isConfirmed', { 1: 1, '"true"': 1, false: 0, '"yes"': 1, '"F"': 0 }, '2 "on" []'],
])('%s may be %j, and cannot be %s', async ([name, valid, invalid]) => {
  for (const [json, cell] of Object.entries(valid)) {
    const records = await read(line(name, json))
    expect([problems(records), column(name, records)[0]]).toEqual([[], cell])
  }
  for (const json of invalid.split(' ')) {
    const complaint = expect.stringMatching(`^1: ${name} cannot be `)
    expect(problems(await read(line(name, json))), json).toEqual([complaint])
  }
})

test.for([
  ['id', '9007199254740993'],
  ['rank', '1e400'],
  ['joinDate', '-9007199254740993'],
])('a number beyond 2^53 is shown as the file has it: %s %s', async ([name = '', json = '']) => {
  const [problem] = problems(await read(line(name, json)))
  expect(problem).toContain(`${name} cannot be "${json}": it must be `)
})

// Both formats are cut into lines in one way.
const start = 'id,username,displayName,rank,joinDate,isConfirmed,banned\n'
const asCsv = (id: number, name: string) => `${id},user${id},${name},1,2,true,false\n`
const asJson = (id: number, name: string) => `${JSON.stringify({ ...good, id })}\n`.replace('Ada', name)
const formats = { csv: { start, row: asCsv, first: 2 }, jsonl: { start: '', row: asJson, first: 1 } } as const
const each: readonly Format[] = ['csv', 'jsonl']

test.for(
  each.flatMap((format) => [
    [format, 'Latin-1', [0xe9]] as const,
    [format, 'a character cut short', [0xf0, 0x9f, 0x8c]] as const,
    [format, 'a surrogate', [0xed, 0xa0, 0x80]] as const,
  ]),
)('%s: what is not UTF-8 concerns its own line: %s', async ([format, , bytes]) => {
  const { start, row, first } = formats[format]
  const [before = '', after = ''] = row(2, '@').split('@')
  const parts = [start + row(1, '花子') + before, bytes, after + row(3, '🌸')]
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  for (const chunkSize of [1, 2, 3, 5, 7, 100_000]) {
    const records = await readFile(format, content, chunkSize)
    expect(problems(records)).toEqual([`${first + 1}: not valid UTF-8`])
    expect(column('displayName', records)).toEqual(['花子', '🌸'])
  }
})

test.for(each)('%s: a line of almost 1 MiB is read, and a longer one ends the import', async (format) => {
  const { start, row, first } = formats[format]
  const name = 'x'.repeat(MAX_RECORD_LENGTH - 200)
  const records = await readFile(format, start + row(1, 'a') + row(2, name) + row(3, 'c'))
  expect(column('displayName', records)).toEqual(['a', 'c'])
  expect(problems(records)).toEqual([
    `${first + 1}: displayName has 1,048,376 characters: shorten it to 1,000 or fewer`,
  ])
  const tooLong = start + row(1, 'a') + row(2, 'x'.repeat(2 * MAX_RECORD_LENGTH)).trimEnd()
  await expect(readFile(format, tooLong)).rejects.toThrow(
    `line ${first + 1}: longer than ${MAX_RECORD_LENGTH} bytes`,
  )
})

test('a quoted cell of CSV that is broken on its second line is one record', async () => {
  const { start, row } = formats.csv
  const content = Buffer.from(start + row(1, '"a\n@\nb"') + row(2, 'ok'))
  content[content.indexOf('@')] = 0xff
  for (const chunkSize of [1, 4, 100_000]) {
    const records = await readFile('csv', content, chunkSize)
    expect([problems(records), column('id', records)]).toEqual([['2: not valid UTF-8'], [2]])
  }
})
