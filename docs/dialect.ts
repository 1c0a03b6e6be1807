// Makes docs/dialect.md: each choice of the dialect with a response before and after, written by the writers of
// the gateway. `npm run codegen` writes the page; `npm run check:contracts` fails if the page is stale.

import { readFileSync, writeFileSync } from 'node:fs'
import { choices } from '../src/legacy/choices.ts'
import { type Dialect, defaultDialect } from '../src/legacy/dialect.ts'
import { isSame, keys, withValue } from '../src/legacy/dialect-places.ts'
import { createFacade, replyTo, rowFinder } from '../src/legacy/facade.ts'

const file = new URL('dialect.md', import.meta.url)

const user = { rank: 9, joinDate: 1199145600, isConfirmed: true, banned: false }
const rows = {
  users: [
    { ...user, id: 7, username: 'Zoë', displayName: `<Zoë> & "co"/'7'`, chatId: 'c-7' },
    {
      ...user,
      id: 12,
      username: 'ada',
      displayName: '',
      chatId: 'c-12',
      rank: 3,
      isConfirmed: false,
      banned: true,
    },
    { ...user, id: 30, username: 'Bob', displayName: '42', chatId: 'c-30', joinDate: 99, rank: 5 },
  ],
  apps: [
    {
      id: 2,
      title: 'Ledger',
      version: '2.0.1',
      category: 1,
      changelogLink: '',
      downloadLink: 'https://a.example/2/',
    },
    {
      id: 9,
      title: 'almanac & co',
      version: '1.4.2',
      category: 2,
      changelogLink: 'é😀?a=b+c',
      downloadLink: 'https://a.example/9/',
    },
  ],
}
const find = rowFinder(rows)

const P = 'Event=ProfileLookup'
const METHOD = 'MethodOfAccessingUserInformation'
const lists = [
  `${P}&Users=7`,
  `${P}&Users=30:7:12`,
  `${P}&Users=7:12:30`,
  'Event=AppLookup&Apps=9:2',
  'Event=AppLookup&Apps=2:9',
  `${P}&${METHOD}=username&Users=ZO%C3%8B:r%26d-bob`,
  `${P}&${METHOD}=chat&Users=c-7`,
]
/** The first query whose response changes is the example. */
const queries = [
  ...[`event=ProfileLookup&users=7`, 'Event=profilelookup&Users=7', `${P}&${METHOD}=ID&Users=7`],
  ...[
    `${P}&Users=7&Format=xml`,
    `${P}&Users=7&Format=json`,
    `${P}&Users=7&Format=`,
    `${P}&Users=7&Format=CSV`,
  ],
  ...[`${P}&Users=7&Users=12`, 'Users=7&Apps=2', 'Event=&Users=7&Apps=2', 'Event=Other&Users=7&Apps=2'],
  ...[`${P}&${METHOD}=&Users=7`, `${P}&${METHOD}=email&Users=7`, `${P}&Users=7,12`, `${P}&Users=+7+:12`],
  ...[
    `${P}&Users=7::12`,
    `${P}&Users=7:007`,
    `${P}&Users=7:7`,
    `${P}&Users=007`,
    `${P}&Users=7.0`,
    `${P}&Users=7x`,
    `${P}&Users=%2B7`,
    `${P}&Users=+%2B7`,
    `${P}&Users=0`,
    `${P}&Users=7::12:`,
  ],
  ...[`${P}&Users=7:x`, `${P}&Users=7:999`, `${P}&Users=999`, `${P}&${METHOD}=username&Users=ada+`],
  `${P}&Users=7:12:30:999`,
  `${P}&Users=7:007&Format=XML`,
  `${P}&Users=7:7&Format=XML`,
  `${P}&${METHOD}=chat&Users=C-7`,
  ...lists.flatMap((query) => [query, `${query}&Format=XML`]),
  `${P}&${METHOD}=username&Users=%22%27&Format=XML`,
  `${P}&${METHOD}=username&Users=%22%27%09&Format=XML`,
  `${P}&${METHOD}=chat&Users=0:1`,
]
/** Some choices show only beside another one. */
const bases: readonly (readonly [note: string, dialect: Dialect])[] = [
  ['', defaultDialect],
  [
    'with `xml.line` "\\n"',
    withValue(withValue(defaultDialect, ['xml', 'line'], '\n'), ['xml', 'indent'], '  '),
  ],
  [
    'with `missing`',
    withValue(
      withValue(defaultDialect, ['missing', 'users', 'json'], 'null'),
      ['missing', 'users', 'xml'],
      '<Data Value="{value}"/>',
    ),
  ],
  ['with `read.malformed` "unknown"', withValue(defaultDialect, ['read', 'malformed'], 'unknown')],
  [
    'with `entries.ids` "read"',
    withValue(withValue(defaultDialect, ['entries', 'ids'], 'read'), ['read', 'repeatedValues'], 'once'),
  ],
  [
    'with plain letters',
    withValue(
      withValue(withValue(defaultDialect, ['json', 'letters'], 'plain'), ['xml', 'lettersInTexts'], 'plain'),
      ['xml', 'lettersInValues'],
      'plain',
    ),
  ],
  [
    'with a recorded reply',
    withValue(
      withValue(defaultDialect, ['read', 'missing'], 'refuse'),
      ['errors', 'replies', 'missingUser'],
      {
        json: { status: 404, type: 'application/json', body: '{"error":"No user {value}"}' },
        xml: { status: 404, type: 'application/xml', body: '<error>No user {value}</error>' },
      },
    ),
  ],
]
const recordedQueries = [
  `${P}&${METHOD}=username&Users=%22%C3%A9%3C/`,
  `${P}&${METHOD}=username&Users=%C3%A9%3C&Format=XML`,
]

const MAX_VALUES = 3
const MAX_SHOWN = 90

const reply = (dialect: Dialect, query: string) => {
  const { status, body } = replyTo(createFacade(dialect, MAX_VALUES), find, query)
  return `${status === 200 ? '' : `${status} `}${Buffer.from(body, 'latin1').toString()}`
}

/** The part of a text around its first difference from another text. */
function excerpt(text: string, other: string): string {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  const from = Math.max(0, start - 24)
  const shown = text.slice(from, from + MAX_SHOWN)
  const visible = JSON.stringify(shown).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  return `${from > 0 ? '…' : ''}${visible}${from + MAX_SHOWN < text.length ? '…' : ''}`
}

const code = (text: string) =>
  `<code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '&#124;')}</code>`

function exampleOf(path: readonly string[], value: unknown): string {
  for (const [note, base] of bases)
    for (const query of note === 'with a recorded reply' ? recordedQueries : queries) {
      const [before, after] = [reply(base, query), reply(withValue(base, path, value), query)]
      if (before === after) continue
      const beside = note === '' ? '' : ` (${note})`
      return `\`${query}\`${beside}<br>${code(excerpt(before, after))}<br>${code(excerpt(after, before))}`
    }
  return '–'
}

export function printDialect(): string {
  const texts = keys.filter(({ path }) => !choices.some((choice) => isSame(choice.path, path)))
  const rows = texts.map(({ path, about }) => `| \`${path.join('.')}\` | ${about} |\n`)
  let group = ''
  const sections = choices.map(({ path, about, values: [byDefault, ...others] }) => {
    const title = path[0] === group ? '' : `\n## ${path[0]}\n`
    group = path[0]
    const lines = others.map((value) => `| \`${JSON.stringify(value)}\` | ${exampleOf(path, value)} |\n`)
    return `${title}\n### ${path.join('.')}\n\n${about} Default: \`${JSON.stringify(byDefault)}\`.\n\n| value | request, response by default, response with the value |\n|---|---|\n${lines.join('')}`
  })
  return `${head}${rows.join('')}${sections.join('')}`
}

const head = `# The dialect of an old service

\`LEGACY_DIALECT=old.json\` names a file that says how an old service behaves. [lookup probe](probe.md) writes it.
The file names only what differs from the [contract](legacy.md). A wrong key or value is an error at the start that
names its path and what is allowed. With \`"$schema"\`, editors complete the keys.

\`\`\`json
{
  "$schema": "./schema/dialect.schema.json",
  "serviceName": "Acme",
  "chatMethod": "talk",
  "read": { "malformed": "unknown" },
  "missing": { "json": "null", "xml": "<Data Value=\\"{value}\\"/>" },
  "errors": { "status": 200 }
}
\`\`\`

\`/explain?…\` of the gateway names the choices that changed a response.

## Keys with texts

| key | what for |
|---|---|
`

if (import.meta.main) {
  if (process.argv[2] === '--write') writeFileSync(file, printDialect())
  else if (readFileSync(file, 'utf8') !== printDialect()) {
    process.stderr.write('Stale: docs/dialect.md. Run "npm run codegen".\n')
    process.exitCode = 1
  }
}
