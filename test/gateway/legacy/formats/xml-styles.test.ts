// XML of every style against what writes it so: PHP's libraries, strings in PHP, and Python's library.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../../../src/config.ts'
import type { Entry, LegacyEvent } from '../../../../src/gateway/legacy/events/event.ts'
import { formats } from '../../../../src/gateway/legacy/formats/index.ts'
import { seedOf } from '../../../kit/generate.ts'
import { hasProgram } from '../../../kit/programs.ts'
import { type Answer, answer, events } from '../support/answers.ts'
import { caseData } from '../support/cases.ts'
import { runPhp, runPython } from '../support/programs.ts'

const BATCH = 300

type Settings = Readonly<Record<string, string>>
type How = Readonly<Record<string, string | number | boolean | readonly string[]>>
type Way = readonly [settings: Settings, by: string, how: How, unlike?: RegExp]

const dom = { LEGACY_XML_STYLE: 'dom' }
const utf8 = { encoding: 'UTF-8' }
const plain = { LEGACY_XML_STYLE: 'plain' }
const flags = (text: string) => ({ LEGACY_XML_FLAGS: text })
const indent = (text: string) => ({ LEGACY_XML_INDENT: text })
const noEntry = { LEGACY_UNKNOWN_TEXT: 'No entry matches {value}.' }
const none = { LEGACY_XML_DECLARATION: 'omit' }
const utf8Declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const [QUOTES, COMPAT, XML1] = [3, 2, 16]

const inPhp: readonly Way[] = [
  [{}, 'simplexml', {}],
  [flags('open-fields'), 'simplexml', { assigned: true }],
  [dom, 'simplexml', { declaration: utf8Declaration }],
  [
    { ...dom, LEGACY_XML_DECLARATION: '<?xml version="1.0" encoding="utf-8" standalone="yes"?>' },
    'simplexml',
    { declaration: "<?xml version='1.0' encoding='utf-8' standalone='yes'?>" },
  ],
  [{}, 'dom', {}],
  [dom, 'dom', utf8],
  [{ ...dom, LEGACY_XML_ROOT: 'version="1.0"' }, 'dom', { ...utf8, version: '1.0' }],
  [{ ...dom, LEGACY_TEXT_ESCAPES: 'html' }, 'dom', { ...utf8, escaped: QUOTES }],
  [{ LEGACY_TEXT_ESCAPES: 'compat', ...flags('cdata') }, 'dom', { cdata: true, escaped: COMPAT }],
  [{ ...plain, LEGACY_TEXT_ESCAPES: 'html' }, 'plain', { escaped: QUOTES }],
  [{ ...plain, LEGACY_TEXT_ESCAPES: 'html-json' }, 'plain', {}],
  [{ ...dom, ...flags('open-tags') }, 'dom', { ...utf8, noEmptyTag: true }],
  [{ ...dom, ...flags('open-fields') }, 'dom', { ...utf8, textNodes: true }],
  [{ ...dom, ...flags('cdata') }, 'dom', { ...utf8, cdata: true }],
  [flags('cdata'), 'dom', { cdata: true }],
  [{ ...dom, ...none, ...flags('no-newline') }, 'dom', { ...utf8, node: true }],
  [{ LEGACY_XML_STYLE: 'dom-node' }, 'dom', { node: true }],
  [
    { LEGACY_XML_STYLE: 'dom-node', ...indent('2'), ...flags('cdata') },
    'dom',
    { node: true, indented: true, cdata: true },
  ],
  [{ ...dom, ...none, ...flags('no-newline,open-tags') }, 'dom', { ...utf8, node: true, noEmptyTag: true }],
  [{ ...dom, ...indent('2') }, 'dom', { ...utf8, indented: true }],
  [indent('2'), 'dom', { indented: true }],
  [{ ...dom, ...indent('2'), ...flags('open-tags') }, 'dom', { ...utf8, indented: true, noEmptyTag: true }],
  [{ ...dom, ...indent('2'), ...flags('open-fields') }, 'dom', { ...utf8, indented: true, textNodes: true }],
  [
    { ...dom, ...indent('2'), ...flags('cdata,open-fields') },
    'dom',
    { ...utf8, indented: true, cdata: true, textNodes: true },
  ],
  [
    { ...dom, ...indent('2'), LEGACY_UNKNOWN_XML: 'error', ...noEntry },
    'dom',
    { ...utf8, indented: true, error: true },
  ],
  [{ LEGACY_UNKNOWN_XML: 'error', ...noEntry }, 'dom', { error: true }],
  ...[{}, indent('2')].map(
    (layout): Way => [
      {
        ...layout,
        LEGACY_UNKNOWN: '{"Error":{"Code":404,"Fatal":false,"Message":"{message}"},"by":"é"}',
        LEGACY_UNKNOWN_XML: 'error',
      },
      'dom',
      { error: true, object: true, indented: 'LEGACY_XML_INDENT' in layout },
    ],
  ),
  [{ LEGACY_XML_STYLE: 'xmlwriter' }, 'xmlwriter', {}],
  [{ LEGACY_XML_STYLE: 'xmlwriter', ...indent('1') }, 'xmlwriter', { indent: ' ' }],
  [plain, 'plain', {}],
  [{ ...plain, ...flags('bare-apostrophes') }, 'plain', { flags: COMPAT }],
  [{ ...plain, ...flags('apos') }, 'plain', { flags: QUOTES | XML1 }],
  [{ ...plain, ...flags('cdata') }, 'plain', { cdata: true }],
  [{ ...plain, ...flags('filled-cdata') }, 'plain', { cdata: true, filled: true }],
  [{ ...plain, ...flags('needed-cdata') }, 'plain', { cdata: true, needed: true }],
  [
    { ...plain, ...flags('needed-cdata,no-cdata:ChangelogLink,no-cdata:ServiceDownloadLink') },
    'plain',
    { cdata: true, needed: true, except: ['ChangelogLink', 'ServiceDownloadLink'] },
  ],
  [{ ...dom, ...flags('needed-cdata') }, 'dom', { ...utf8, cdata: true, needed: true }],
  [flags('needed-cdata'), 'dom', { cdata: true, needed: true }],
  [
    { ...dom, ...indent('2'), ...flags('filled-cdata,no-cdata:Version,no-cdata:Username') },
    'dom',
    { ...utf8, indented: true, cdata: true, filled: true, except: ['Version', 'Username'] },
  ],
  [{ ...plain, ...flags('single-quotes') }, 'plain', { quote: "'" }],
  [{ ...plain, ...flags('single-quotes,bare-apostrophes') }, 'plain', { quote: "'", flags: COMPAT }],
  [{ ...plain, ...flags('single-quotes,apos') }, 'plain', { quote: "'", flags: QUOTES | XML1 }],
  [{ ...plain, ...indent('0'), ...flags('inline-fields') }, 'plain', { line: '\n', inline: true }],
  [
    { ...plain, ...indent('2'), ...flags('inline-fields,lined-root,filled-cdata,single-quotes,crlf') },
    'plain',
    {
      declaration: `${utf8Declaration}\r\n`,
      line: '\r\n',
      indent: '  ',
      inline: true,
      lined: true,
      cdata: true,
      filled: true,
      quote: "'",
    },
  ],
  [{ ...plain, ...none }, 'plain', { declaration: '' }],
  [
    { ...plain, ...none, ...flags('cdata,newline,open-fields,open-root') },
    'plain',
    { declaration: '', cdata: true, end: '\n', closed: true },
  ],
  [
    { ...plain, ...flags('inline-declaration'), LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>' },
    'plain',
    { declaration: '<?xml version="1.0" ?>' },
  ],
  [
    { ...plain, ...indent('tab'), ...flags('newline,crlf'), ...none },
    'plain',
    { declaration: '', line: '\r\n', indent: '\t', end: '\r\n' },
  ],
]

// ElementTree escapes a tab in attributes with a zero more, and minidom none of these; both leave carriage
// returns in texts.
const blanks = /[\t\r\n]/
// Before Python 3.13, minidom escapes quotation marks in texts.
const ofMinidom = /[\t\r\n"]/
const python = 'spaced-tags,no-newline'
const inPython: readonly Way[] = [
  [{ ...none, ...flags(`${python},decimal`) }, '', {}, blanks],
  [{ ...none, ...flags(`${python},decimal`), ...indent('2') }, '', { indented: true }, blanks],
  [
    {
      ...dom,
      LEGACY_XML_DECLARATION: "<?xml version='1.0' encoding='utf-8'?>",
      ...flags(python),
    },
    '',
    { encoding: 'utf-8' },
    blanks,
  ],
  [
    {
      LEGACY_XML_STYLE: 'xmlwriter',
      LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>',
      ...flags('closed-tags'),
      ...indent('tab'),
    },
    'minidom',
    { indent: '\t' },
    ofMinidom,
  ],
  [
    {
      LEGACY_XML_STYLE: 'xmlwriter',
      LEGACY_XML_DECLARATION: '<?xml version="1.0" encoding="utf-8"?>',
      ...flags('closed-tags'),
      ...indent('4'),
    },
    'minidom',
    { indent: '    ', encoding: 'utf-8' },
    ofMinidom,
  ],
  [
    {
      ...plain,
      LEGACY_XML_DECLARATION: '<?xml version="1.0" ?>',
      ...flags('closed-tags,bare-apostrophes,inline-declaration'),
    },
    'minidom',
    {},
    ofMinidom,
  ],
]

describe.each([
  ['PHP', hasProgram('php'), inPhp, (input: string) => runPhp('write-xml.php', [], input)],
  ['Python', hasProgram('python3'), inPython, (input: string) => runPython('write-xml.py', input)],
] as const)('%s', (_name, found, ways, run) => {
  test.skipIf(!found).for(ways)('%j is the bytes of %s %j', ([settings, by, how, unlike]) => {
    const seed = seedOf('formats/xml-styles.test.ts')
    const generated = fc.sample(answer, { seed, numRuns: BATCH })
    const answers = [...golden(), ...generated].map((made) => (unlike ? without(unlike, made) : made))
    const input = JSON.stringify({ by, how, answers: answers.map(toLists) })
    const written: string[] = JSON.parse(run(input))
    expect(written).toHaveLength(answers.length)
    answers.forEach((made, index) => {
      const theirs = Buffer.from(written[index] ?? '', 'base64').toString('latin1')
      expect(write(made, settings), `answer ${index} of SEED=${seed}`).toBe(theirs)
    })
  })
})

function write({ event, values, entries }: Answer, settings: Settings): string {
  // As test/php/write-xml.php has it.
  const text = { LEGACY_UNKNOWN_TEXT: 'No entry matches {value}.' }
  const { dialect } = readConfig({ flags: { LEGACY_UNKNOWN: 'null', ...text, ...settings } })
  return formats.XML.answers(event, dialect)(values, entries)
}

/** The users and apps of the golden cases, an entry that is not there, and an answer without any. */
function golden(): Answer[] {
  const rows = (file: string): Entry[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  const data = { ProfileLookup: rows(caseData.users), AppLookup: rows(caseData.apps) }
  return events.flatMap((event) => {
    const entries = data[event.name === 'AppLookup' ? 'AppLookup' : 'ProfileLookup']
    const values = entries.map(({ id }) => String(id))
    expect(values.length).toBeGreaterThan(5)
    return [
      { event, values: [...values, '999'], entries: [...entries, null] },
      { event, values: ['999'], entries: [null] },
      { event, values: [], entries: [] },
    ]
  })
}

/** Without characters that a library writes in a way of its own. */
function without(unlike: RegExp, { event, values, entries }: Answer): Answer {
  const all = new RegExp(unlike, 'g')
  const clean = (text: string) => text.replaceAll(all, '_')
  const cleanEntry = (entry: Entry | null) =>
    entry &&
    Object.fromEntries(
      Object.entries(entry).map(([name, content]) => [
        name,
        typeof content === 'string' ? clean(content) : content,
      ]),
    )
  return { event, values: values.map(clean), entries: entries.map(cleanEntry) }
}

function toLists({ event, values, entries }: Answer) {
  return values.map((value, index) => [value, listOf(event, entries[index] ?? null)])
}

function listOf({ fields }: LegacyEvent, entry: Entry | null) {
  return entry && fields.map(({ name, source, type }) => [name, entry[source], type === 'string'])
}
