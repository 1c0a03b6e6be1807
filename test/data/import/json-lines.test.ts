import { describe, expect, test } from 'vitest'
import { users } from '../../../src/data/users.ts'
import { column, problems, readFile } from '../read.ts'

const good: Readonly<Record<string, unknown>> = {
  id: 1,
  username: 'ada',
  chatId: null,
  displayName: 'Ada',
  rank: 1,
  joinDate: 2,
  isConfirmed: true,
  banned: false,
}
const read = (text: string, chunkSize?: number) => readFile('jsonl', users, text, chunkSize)

/** A line with one member written in JSON that `JSON.stringify` would not write. */
function line(name: string, json: string): string {
  const members = Object.entries({ ...good, [name]: '@' })
  return `{${members.map(([key, value]) => `"${key}":${value === '@' ? json : JSON.stringify(value)}`).join(',')}}\n`
}

describe('the shape of a file', () => {
  const one = JSON.stringify(good)
  const two = JSON.stringify({ ...good, id: 2 })

  test.for([
    ['LF', `${one}\n${two}\n`],
    ['CRLF', `${one}\r\n${two}\r\n`],
    ['no newline at the end', `${one}\n${two}`],
    ['a BOM', `\ufeff${one}\n${two}\n`],
    ['blank lines', `\n${one}\n\r\n\n${two}\n\n`],
    ['white space around', `  ${one}\t\n ${two}  \n`],
    [
      'members in another order',
      `${JSON.stringify(Object.fromEntries(Object.entries(good).reverse()))}\n${two}`,
    ],
  ])('%s', async ([, text = '']) => {
    for (const chunkSize of [1, 3, 64, 100_000]) {
      const records = await read(text, chunkSize)
      expect(problems(records)).toEqual([])
      expect(column(users, 'id', records)).toEqual([1, 2])
    }
  })

  test('an empty file has no records', async () => {
    expect(await read('')).toEqual([])
  })

  test('line numbers count blank lines', async () => {
    const records = await read(`\n${one}\n\n[]\n${two}\n{`, 5)
    expect(records.map((record) => record.line)).toEqual([2, 4, 5, 6])
  })

  test('line separators of Unicode do not end a line', async () => {
    const name = 'a\u2028b\u2029c\u0085d'
    expect(column(users, 'displayName', await read(JSON.stringify({ ...good, displayName: name })))).toEqual([
      name,
    ])
  })
})

describe('lines that are no record', () => {
  test.for([
    ['{', 'not valid JSON'],
    ['{"id":1,}', 'not valid JSON'],
    ["{'id':1}", 'not valid JSON'],
    ['ada', 'not valid JSON'],
    ['   ', 'not valid JSON'],
    [`${JSON.stringify(good)}${JSON.stringify(good)}`, 'not valid JSON'],
    ['null', 'not a JSON object'],
    ['"ada"', 'not a JSON object'],
    ['1', 'not a JSON object'],
    ['{}', 'id, username, displayName, rank, joinDate, isConfirmed, banned are missing'],
    [
      '{"id":0,"username":5,"rank":"x"}',
      /^id cannot be "0".*; username must be a JSON string.*; rank cannot be "x".*; displayName, joinDate, isConfirmed, banned are missing$/,
    ],
    ['{"nick":1}', 'there is no column "nick"'],
    ['{"ID":1}', 'there is no column "ID". Did you mean id?'],
    [
      '{"user_name":1,"nick":2,"display name":3}',
      'there are no columns "user_name" (did you mean username?), "nick", "display name" (did you mean displayName?)',
    ],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 9_999 }, (_, at) => [`x${at}`, at]))),
      /^there are no columns "x0", .*, "x7" and 9,991 more$/,
    ],
    ['{"":1}', 'there is no column ""'],
    ['{"__proto__":{"id":1}}', 'there is no column "__proto__"'],
    ['{"constructor":1}', 'there is no column "constructor"'],
  ] as const)('%s', async ([text, problem]) => {
    const found = problems(await read(`${text}\n${JSON.stringify(good)}`))
    const says = typeof problem === 'string' ? problem : expect.stringMatching(problem)
    expect(found.map((line) => line.replace(/^1: /, ''))).toEqual([says])
  })
})

describe('members', () => {
  test.for([
    ['id', '7', 7],
    ['id', '"007"', 7],
    ['id', '1.0', 1],
    ['id', '1e3', 1000],
    ['id', '9007199254740991', 9007199254740991],
    ['rank', '-0', 0],
    ['rank', '"-0"', 0],
    ['rank', '-2147483648', -2147483648],
    ['joinDate', '-9007199254740991', -9007199254740991],
    ['isConfirmed', '1', 1],
    ['isConfirmed', '"true"', 1],
    ['isConfirmed', 'false', 0],
    ['chatId', 'null', null],
    ['chatId', '""', null],
    ['displayName', '""', ''],
    ['displayName', '"\\ud83c\\udf38\\u0022\\n"', '🌸"\n'],
  ] as const)('%s may be %s', async ([name, json, cell]) => {
    const records = await read(line(name, json))
    expect(problems(records)).toEqual([])
    expect(column(users, name, records)[0]).toBe(cell)
  })

  test.for([
    ['id', '0'],
    ['id', '1.5'],
    ['id', '-1'],
    ['id', 'true'],
    ['id', '9007199254740992'],
    ['id', '9007199254740993'],
    ['id', '1e400'],
    ['id', '12345678901234567890123'],
    ['id', '"1e3"'],
    ['id', '[1]'],
    ['id', '{}'],
    ['username', '5'],
    ['username', 'true'],
    ['username', '["ada"]'],
    ['username', '""'],
    ['username', '"\\ud800"'],
    ['displayName', '"\\udc00\\ud800"'],
    ['displayName', '"\\u0000"'],
    ['displayName', '5'],
    ['chatId', '5'],
    ['chatId', 'false'],
    ['chatId', '{}'],
    ['rank', '1.5'],
    ['rank', 'true'],
    ['rank', '2147483648'],
    ['joinDate', '1e16'],
    ['isConfirmed', '2'],
    ['isConfirmed', '"yes"'],
    ['isConfirmed', '[]'],
  ] as const)('%s cannot be %s', async ([name, json]) => {
    expect(problems(await read(line(name, json)))).toEqual([
      expect.stringMatching(`^1: ${name} (cannot|must) be `),
    ])
  })

  test.for(['id', 'username', 'displayName', 'rank', 'joinDate', 'isConfirmed', 'banned'])(
    '%s cannot be null or missing',
    async (name) => {
      const { [name]: _gone, ...rest } = good
      const records = await read(`${line(name, 'null')}${JSON.stringify(rest)}`)
      expect(problems(records)).toEqual([`1: ${name} is missing`, `2: ${name} is missing`])
    },
  )
})
