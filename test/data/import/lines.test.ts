import { expect, test } from 'vitest'
import { MAX_RECORD_LENGTH, readChunks } from '../../../src/data/import/lines.ts'
import { column, type Format, problems, readFile } from '../read.ts'

const good: Readonly<Record<string, unknown>> = {
  ...{ id: 1, username: 'ada', chatId: null, displayName: 'Ada' },
  ...{ rank: 1, joinDate: 2, isConfirmed: true, banned: false },
}
const read = (text: string, chunkSize?: number) => readFile('jsonl', text, chunkSize)

/** A line with one member written in JSON that `JSON.stringify` would not write. */
function line(name: string, json: string): string {
  const members = Object.entries({ ...good, [name]: '@' })
  return `{${members.map(([key, value]) => `"${key}":${value === '@' ? json : JSON.stringify(value)}`)}}\n`
}

const one = JSON.stringify(good)
const two = JSON.stringify({ ...good, id: 2 })
const reversed = JSON.stringify(Object.fromEntries(Object.entries(good).reverse()))
test.for([
  ['CRLF', `${one}\r\n${two}\r\n`],
  ['a BOM, and no newline at the end', `\ufeff${one}\n${two}`],
  ['blank lines', `\n${one}\n\r\n\n${two}\n\n`],
  ['white space around', `  ${one}\t\n ${two}  \n`],
  ['members in another order', `${reversed}\n${two}`],
])('a file may have %s', async ([, text = '']) => {
  for (const chunkSize of [1, 3, 64, 100_000]) {
    const records = await read(text, chunkSize)
    expect([problems(records), column('id', records)]).toEqual([[], [1, 2]])
  }
})

test('an empty file has no records, and line numbers count blank lines', async () => {
  expect(await read('')).toEqual([])
  const lines = (await read(`\n${one}\n\n[]\n${two}\n{`, 5)).map((record) => record.line)
  expect(lines).toEqual([2, 4, 5, 6])
})

test('line separators of Unicode do not end a line', async () => {
  const displayName = 'a\u2028b\u2029c\u0085d'
  expect(column('displayName', await read(JSON.stringify({ ...good, displayName })))).toEqual([displayName])
})

const many = Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [`x${at}`, at]))
test.for([
  ...['{', '{"id":1,}', "{'id':1}", 'ada', '   ', one + one].map((text) => [text, 'not valid JSON'] as const),
  ...['null', '"ada"', '1'].map((text) => [text, 'not a JSON object'] as const),
  ['{}', 'id, username, displayName, rank, joinDate, isConfirmed, banned are missing'],
  [
    '{"id":0,"username":5,"rank":"x"}',
    /^id cannot be "0".*; username must be a JSON string.*; rank cannot be "x".*; displayName, joinDate, isConfirmed, banned are missing$/,
  ],
  ['{"nick":1}', 'there is no column "nick"'],
  ['{"usernme":1}', 'there is no column "usernme". Did you mean username?'],
  [
    '{"usernme":1,"nick":2,"disply name":3}',
    'there are no columns "usernme" (did you mean username?), "nick", "disply name" (did you mean displayName?)',
  ],
  ['{"chatId":"a","chat_id":"b"}', 'the column chatId is there twice'],
  [JSON.stringify(many), /^there are no columns "x0", .*, "x7" and 9,991 more$/],
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
  ['id', {}, '9007199254740992 9007199254740993 12345678901234567890123'],
  ['username', {}, '5 true ["ada"] "" "\\ud800"'],
  ['displayName', { '""': '', '"\\ud83c\\udf38\\u0022\\n"': '🌸"\n' }, '5 "\\udc00\\ud800" "\\u0000"'],
  ['chatId', { null: null, '""': null }, '5 false {}'],
  ['rank', { '-0': 0, '"-0"': 0, '-2147483648': -2147483648 }, '1.5 true 2147483648'],
  ['joinDate', { [`-${MAX}`]: -MAX }, '1e16'],
  ['isConfirmed', { 1: 1, '"true"': 1, false: 0, '"yes"': 1, '"F"': 0 }, '2 "on" []'],
  ['displayName', { '"NULL"': 'NULL', '"\\\\N"': '\\N' }, '5'],
])('%s may be %j, and cannot be %s', async ([name, valid, invalid]) => {
  for (const [json, cell] of Object.entries(valid)) {
    const records = await read(line(name, json))
    expect([problems(records), column(name, records)[0]]).toEqual([[], cell])
  }
  for (const json of invalid.split(' ')) {
    const complaint = expect.stringMatching(`^1: ${name} (cannot|must) be `)
    expect(problems(await read(line(name, json))), json).toEqual([complaint])
  }
})

test('names of members may be spelt as other programs do', async () => {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const spell of [snake, (name: string) => name.toUpperCase()]) {
    const members = Object.entries(good).map(([name, value]) => [spell(name), value])
    const records = await read(JSON.stringify(Object.fromEntries(members)))
    expect([problems(records), column('displayName', records)]).toEqual([[], ['Ada']])
  }
})

test.for([
  ['id', '9007199254740993'],
  ['id', '12345678901234567890123'],
  ['rank', '1e400'],
  ['joinDate', '-9007199254740993'],
])('a number beyond 2^53 is shown as the file has it: %s %s', async ([name = '', json = '']) => {
  const [problem] = problems(await read(line(name, json).replace('"Ada"', '5')))
  expect(problem).toContain(`${name} cannot be "${json}": it must be `)
  expect(problem).toContain('displayName must be a JSON string')
})

// Both formats are cut into lines in one way.
const start = 'id,username,displayName,rank,joinDate,isConfirmed,banned\n'
const asCsv = (id: number, name: string) => `${id},user${id},${name},1,2,true,false\n`
const asJson = (id: number, name: string) => `${JSON.stringify({ ...good, id })}\n`.replace('Ada', name)
const formats = { csv: { start, row: asCsv, first: 2 }, jsonl: { start: '', row: asJson, first: 1 } } as const
const each: readonly Format[] = ['csv', 'jsonl']

test.for(each)('%s: characters of several bytes may lie across chunks', async (format) => {
  const { start, row } = formats[format]
  const texts = ['é', '花子', '🌸🌸', 'a\u0301', '\u{10ffff}', 'नमस्ते', '\ufffd']
  const content = start + texts.map((text, index) => row(index + 1, text)).join('')
  for (let chunkSize = 1; chunkSize <= 12; chunkSize++) {
    const records = await readFile(format, content, chunkSize)
    expect([problems(records), column('displayName', records)]).toEqual([[], texts])
  }
})

test.for(
  each.flatMap((format) => [
    [format, 'a lone continuation byte', [0x80]] as const,
    [format, 'Latin-1', [0xe9]] as const,
    [format, 'a character cut short', [0xf0, 0x9f, 0x8c]] as const,
    [format, 'an overlong slash', [0xc0, 0xaf]] as const,
    [format, 'a surrogate', [0xed, 0xa0, 0x80]] as const,
    [format, 'beyond Unicode', [0xf4, 0x90, 0x80, 0x80]] as const,
    [format, '0xff', [0xff]] as const,
  ]),
)('%s: what is not UTF-8 concerns its own line: %s', async ([format, , bytes]) => {
  const { start, row, first } = formats[format]
  const [before = '', after = ''] = row(2, '@').split('@')
  const content = [start + row(1, '花子') + before, Buffer.from(bytes), after + row(3, '🌸')].map((part) =>
    Buffer.from(part),
  )
  for (const chunkSize of [1, 2, 3, 5, 7, 100_000]) {
    const records = await readFile(format, Buffer.concat(content), chunkSize)
    expect(problems(records)).toEqual([`${first + 1}: not valid UTF-8`])
    expect(column('displayName', records)).toEqual(['花子', '🌸'])
  }
  const cut = Buffer.concat([
    Buffer.from(start + row(1, 'a') + row(2, 'b').trimEnd()),
    Buffer.from([0xf0, 0x9f]),
  ])
  expect(problems(await readFile(format, cut, 3))).toEqual([`${first + 1}: not valid UTF-8`])
})

test.for(each)('%s: NUL is refused with its line', async (format) => {
  const { start, row, first } = formats[format]
  const content = start + row(1, 'a') + row(2, format === 'csv' ? 'b\0' : 'b\\u0000')
  const complaint = expect.stringMatching(`^${first + 1}: displayName cannot be "b\\\\u0000"`)
  expect(problems(await readFile(format, content))).toEqual([complaint])
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
  for (const end of ['\n', ''])
    await expect(readFile(format, tooLong + end)).rejects.toThrow(
      `line ${first + 1}: longer than ${MAX_RECORD_LENGTH} bytes`,
    )
})

test('a long JSON array is named, though its first byte comes alone', async () => {
  const pieces = async function* () {
    yield Buffer.from(' ')
    yield Buffer.from('['.padEnd(MAX_RECORD_LENGTH))
  }
  await expect(Array.fromAsync(readChunks(pieces()))).rejects.toThrow('the file is a JSON array')
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
