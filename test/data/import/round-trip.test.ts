import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { generate } from '../../../bench/generate.ts'
import { relations } from '../../../src/data/relations.ts'
import { databaseKinds, makeWorkplace, type Workplace } from '../../kit/workplace.ts'

describe.each(databaseKinds())('over %s', (kind) => {
  let place: Workplace
  beforeEach(() => {
    place = makeWorkplace(kind)
  })
  afterEach(() => place.remove())

  type Row = Readonly<Record<string, unknown>>

  const MAX = Number.MAX_SAFE_INTEGER
  const texts = [
    '',
    ' ',
    '"',
    '""',
    ',',
    '\\',
    '\\"',
    '\n',
    '\r\n',
    '\r',
    '\t',
    'a\nb,"c"\r\n',
    '\u0001\u001b[31m\u007f\u009b',
    '\u2028\u2029\u0085',
    '\ufeff',
    '\ufffd\ufffe\uffff',
    'e\u0301 é ﬀ İ',
    '👩‍🚀🇳🇴\u{10ffff}',
    '</script><!-- &amp; ]]>',
    `'; DROP TABLE users; --`,
    '%s $1 $&',
    'null',
    '007',
    'x'.repeat(100_000),
  ]

  /** As long as names may be. */
  const nameOf = (text: string) => text.slice(0, 256)

  const users: Row[] = texts.map((text, index) => ({
    id: index === 0 ? MAX : index,
    username: nameOf(`${index}${text.replace(/[:\p{Cc}]/gu, '')}`),
    chatId: text === '' ? null : nameOf(text),
    displayName: text,
    rank: index % 2 === 0 ? -(2 ** 31) : 2 ** 31 - 1,
    joinDate: index % 2 === 0 ? -MAX : MAX,
    isConfirmed: index % 2 === 0,
    banned: index % 3 === 0,
  }))

  const apps: Row[] = texts.map((text, index) => ({
    id: index === 0 ? MAX : index,
    title: text,
    version: '0.0.10',
    category: index % 2 === 0 ? -(2 ** 31) : 0,
    changelogLink: 'HTTPS://Apps.Example:8443/é?a=1&b="2"#,',
    downloadLink: `http://[::1]/星/${index === 0 ? MAX : index}/`,
  }))

  const inOrder = (rows: readonly Row[]) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))
  const asJsonLines = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

  /** RFC 4180, every cell in quotes. */
  function asCsv(rows: readonly Row[]): string {
    const names = Object.keys(rows[0] ?? {})
    const lines = rows.map((row) => names.map((name) => `"${String(row[name] ?? '').replaceAll('"', '""')}"`))
    return [names, ...lines].map((cells) => `${cells.join()}\r\n`).join('')
  }

  async function imported(
    relation: string,
    format: string,
    content: string,
    database: string,
  ): Promise<string> {
    const flags = ['--database', await place.urlOf(database)]
    const result = await place.run(['import', relation, '-', '--format', format, ...flags], {}, content)
    expect(result.status).toBe(0)
    // On a busy machine it says how far it is.
    expect(result.stderr).toMatch(/^(?:\w+: [\d,]+ rows\n)*$/)
    return (await place.run(['export', relation, ...flags])).stdout
  }

  describe.for([
    ['users', users],
    ['apps', apps],
  ] as const)('%s of hostile values', ([relation, rows]) => {
    test('the rows have every column', () => {
      expect(Object.keys(rows[0] ?? {})).toEqual(relations[relation].columns.map(({ name }) => name))
    })

    test('come out of the first export as they are', async () => {
      expect(await imported(relation, 'jsonl', asJsonLines(rows), 'a.db')).toBe(asJsonLines(inOrder(rows)))
    })

    test('CSV and JSON Lines, imported and exported, are the same bytes', async () => {
      const first = await imported(relation, 'csv', asCsv(rows), 'a.db')
      expect(first).toBe(asJsonLines(inOrder(rows)))
      expect(await imported(relation, 'jsonl', first, 'b.db')).toBe(first)
    })
  })

  test.for(['users', 'apps'] as const)('five thousand generated %s', async (relation) => {
    const first = await imported(relation, 'csv', [...generate(relation, 5000)].join(''), 'a.db')
    expect(first.split('\n')).toHaveLength(5001)
    expect(await imported(relation, 'jsonl', first, 'b.db')).toBe(first)
    const parsed = first
      .trimEnd()
      .split('\n')
      .map((line): Row => JSON.parse(line))
    expect(await imported(relation, 'csv', asCsv(parsed), 'c.db')).toBe(first)
  })
})
