// Values that are hard for a format, an engine or a terminal, imported and exported over any database of
// ours.

import { expect, onTestFinished, test } from 'vitest'
import { relations } from '../../../src/data/relations.ts'
import type { Workplace } from '../../kit/workplace.ts'

type Row = Readonly<Record<string, unknown>>

const MAX = Number.MAX_SAFE_INTEGER
const texts = [
  ...['', ' ', '"', '""', ',', '\\', '\\"', '\n', '\r\n', '\r', '\t', 'a\nb,"c"\r\n', '007', 'null'],
  ...['\u0001\u001b[31m\u007f\u009b', '\u2028\u2029\u0085', '\ufeff', '\ufffd\ufffe\uffff', 'e\u0301 é ﬀ İ'],
  ...[
    '👩‍🚀🇳🇴\u{10ffff}',
    '</script><!-- &amp; ]]>',
    `'; DROP TABLE users; --`,
    '%s $1 $&',
    'x'.repeat(1_000),
  ],
]
/** As long as names may be. */
const nameOf = (text: string) => text.slice(0, 256)
const hostile: Readonly<Record<'users' | 'apps', readonly Row[]>> = {
  users: texts.map((text, index) => ({
    id: index === 0 ? MAX : index,
    username: nameOf(`${index}${text.replace(/[:\p{Cc}]/gu, '')}`),
    chatId: text === '' ? null : nameOf(text),
    displayName: text,
    rank: index % 2 === 0 ? -(2 ** 31) : 2 ** 31 - 1,
    joinDate: index % 2 === 0 ? -MAX : MAX,
    isConfirmed: index % 2 === 0,
    banned: index % 3 === 0,
  })),
  apps: texts.map((text, index) => ({
    id: index === 0 ? MAX : index,
    title: text,
    version: '0.0.10',
    category: index % 2 === 0 ? -(2 ** 31) : 0,
    changelogLink: 'HTTPS://Apps.Example:8443/é?a=1&b="2"#,',
    downloadLink: `http://[::1]/星/${index === 0 ? MAX : index}/`,
  })),
}
const asJsonLines = (rows: readonly Row[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** RFC 4180, every cell in quotes. */
function asCsv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {})
  const lines = rows.map((row) => names.map((name) => `"${String(row[name] ?? '').replaceAll('"', '""')}"`))
  return [names, ...lines].map((cells) => `${cells.join()}\r\n`).join('')
}

export function importSuite(make: () => Workplace): void {
  test.for(['users', 'apps'] as const)('%s of hostile values come out as they went in', async (relation) => {
    const rows = hostile[relation]
    expect(Object.keys(rows[0] ?? {})).toEqual(relations[relation].columns.map(({ name }) => name))
    const place = make()
    onTestFinished(place.remove)
    async function reimported(format: string, content: string, database: string): Promise<string> {
      const flags = ['--database', await place.urlOf(database)]
      const result = await place.run(['import', relation, '-', '--format', format, ...flags], {}, content)
      expect(result.status).toBe(0)
      return (await place.run(['export', relation, ...flags])).stdout
    }
    const inOrder = asJsonLines(rows.toSorted((a, b) => Number(a.id) - Number(b.id)))
    expect(await reimported('csv', asCsv(rows), 'a.db')).toBe(inOrder)
    expect(await reimported('jsonl', asJsonLines(rows), 'b.db')).toBe(inOrder)
  })
}
