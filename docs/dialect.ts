// Makes docs/dialect.md: each choice of the dialect with one response before and after, written by the
// writers of the gateway. `npm run codegen` writes the page; `npm run check:contracts` fails if the page is
// stale.

import { readFileSync, writeFileSync } from 'node:fs'
import { choices } from '../src/legacy/choices.ts'
import { type Dialect, defaultDialect } from '../src/legacy/dialect.ts'
import { isSame, keys, withValue } from '../src/legacy/dialect-places.ts'
import { createFacade } from '../src/legacy/facade.ts'
import { legacyResponseTo, rowFinder } from '../src/legacy/known-rows.ts'

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
/** The example of a choice is the first query whose response changes. */
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
  `${P}&Users=2147483648`,
  `${P}&Users=7:007&Format=XML`,
  `${P}&Users=7:7&Format=XML`,
  `${P}&${METHOD}=chat&Users=C-7`,
  ...lists.flatMap((query) => [query, `${query}&Format=XML`]),
  `${P}&${METHOD}=username&Users=%22%27&Format=XML`,
  `${P}&${METHOD}=username&Users=%22%27%09&Format=XML`,
  `${P}&${METHOD}=chat&Users=0:1`,
]
/** Some choices change a response only together with another one. */
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
    'with a recorded response',
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
const MAX_SHOWN = 36

function replyWith(dialect: Dialect, query: string): { status: number; text: string } {
  const { status, body } = legacyResponseTo(createFacade(dialect, MAX_VALUES), find, query)
  return { status, text: Buffer.from(body, 'latin1').toString() }
}

/** A response in a few words, for choices about what is looked up: its error, or the names of its entries. */
function summary({ status, text }: { status: number; text: string }): string {
  if (status !== 200) return `${status} ${/"Code":"(\w+)"/.exec(text)?.[1]}`
  const isXml = text.startsWith('<')
  const names = isXml
    ? [...text.matchAll(/<Data Value="(.*?)"/g)].map(([, name = '']) => name)
    : [...text.matchAll(/"([^"]*)":(?:\{"Id|\{"Title|null)/g)].map(([, name = '']) => name)
  const entries = names.length === 0 ? 'no entries' : `entries ${names.join(', ')}`
  return isXml ? `XML, ${entries}` : entries
}

/** The part of a text that differs from another text, with some characters around it. */
function excerpt(text: string, other: string): string {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  let end = text.length
  for (let at = other.length; end > start && at > start && text[end - 1] === other[at - 1]; at--) end--
  const from = Math.max(0, start - 10)
  const to = Math.min(text.length, from + MAX_SHOWN, end + 5)
  const visible = JSON.stringify(text.slice(from, to)).slice(1, -1)
  const shown = visible.replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  return `${from > 0 ? '…' : ''}${shown}${to < text.length ? '…' : ''}`
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('|', '&#124;')
const code = (text: string) => `<code>${escapeHtml(text)}</code>`

function exampleOf(path: readonly string[], values: readonly unknown[]): string {
  if (path[1] === 'charset') return ''
  for (const value of values)
    for (const [note, base] of bases)
      for (const query of note === 'with a recorded response' ? recordedQueries : queries) {
        const [before, after] = [replyWith(base, query), replyWith(withValue(base, path, value), query)]
        if (before.text === after.text) continue
        const beside = [`\`${JSON.stringify(value)}\``, note].filter(Boolean).join(' ')
        if (path[0] === 'read' || path[0] === 'entries') {
          const [was, is] = [summary(before), summary(after)]
          if (was === is) continue
          return `\`${query.replace(`${P}&`, '')}\`: ${escapeHtml(was)}; ${beside}: ${escapeHtml(is)}`
        }
        const [was, is] = [excerpt(before.text, after.text), excerpt(after.text, before.text)]
        return `${code(was)}; ${beside}: ${code(is)}`
      }
  return ''
}

export function printDialect(): string {
  const texts = keys.filter(({ path }) => !choices.some((choice) => isSame(choice.path, path)))
  const rows = texts.map(({ path, about }) => `| \`${path.join('.')}\` | ${escapeHtml(about)} |\n`)
  let group = ''
  const sections = choices.map(({ path, about, values }) => {
    const begin = path[0] === group ? '' : `\n## ${path[0]}\n\n${columns}`
    group = path[0]
    const [, ...others] = values
    const allowed = values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
    return `${begin}| \`${path[1]}\` | ${escapeHtml(about)} | ${allowed} | ${exampleOf(path, others)} |\n`
  })
  return `${head}${rows.join('')}${choicesHead}${sections.join('')}`
}

const columns = `| key | meaning | values | example |\n|---|---|---|---|\n`

const head = `# The dialect of an old service

\`LEGACY_DIALECT=old.json\` names a file that says how an old service behaves.
[lookup probe](migration-tools.md#probe) writes the file. The file names only what differs from
[the contract](legacy.md). A wrong key or value is an error at the start; the error names the path of the key
and what is allowed. With \`"$schema"\`, editors complete the keys.

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

| key | meaning |
|---|---|
`

const choicesHead = `
The tables below have the choices. The first of the values is the default. An example has a response by
default, then the response with one of the other values. Requests of examples leave out \`${P}&\`.
`

if (import.meta.main) {
  if (process.argv[2] === '--write') writeFileSync(file, printDialect())
  else if (readFileSync(file, 'utf8') !== printDialect()) {
    process.stderr.write('Stale: docs/dialect.md. Run "npm run codegen".\n')
    process.exitCode = 1
  }
}
