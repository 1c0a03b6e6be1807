// XML of every style is well-formed, whatever its flags are and texts hold.

import fc from 'fast-check'
import { expect } from 'vitest'
import { runs, seedOf } from '../../kit/generate.ts'
import { test } from '../../kit/test.ts'
import { ask } from './support/ask.ts'
import { caseData } from './support/cases.ts'
import { xmlFacts } from './support/facts.ts'
import { APP, ID, NAME } from './support/rows.ts'

const styles = ['simplexml', 'dom', 'dom-node', 'xmlwriter', 'plain']
const flags = [
  ...[
    'cdata',
    'filled-cdata',
    'needed-cdata',
    'no-cdata:DownloadLink',
    'open-fields',
    'open-tags',
    'open-root',
  ],
  ...[
    'spaced-tags',
    'closed-tags',
    'single-quotes',
    'bare-apostrophes',
    'apos',
    'decimal',
    'crlf',
    'newline',
  ],
  ...['no-newline', 'inline-fields', 'inline-declaration', 'lined-root', ''],
  ...['cdata,open-fields,open-root,crlf', 'cdata,open-tags', 'needed-cdata,no-cdata:DownloadLink'],
]
const unknowns = ['omit', 'empty', 'empty-fields', 'unconfirmed', 'zeros', 'error']

const beside = fc.record({
  LEGACY_XML_INDENT: fc.constantFrom('none', 'tab', '0', '2'),
  LEGACY_UNKNOWN_XML: fc.constantFrom(...unknowns),
  LEGACY_TEXT_ESCAPES: fc.constantFrom('none', 'html'),
})

const hostile = '<&"\'>]]>\x01\x0b\x7f\x85é\u2028\ufdd0\ufffe\uffff\u{1f338}\u{10ffff}\t\r\n'
const targets = [
  `${ID}2:6:20:21:22:23:25:26:27:29:30:33:999&Format=XML`,
  `${NAME}${encodeURIComponent(hostile)}:nobody&Format=XML`,
  `${APP}2:3:4:5:6:7&Format=XML`,
  `${APP}999&Format=XML`,
  `Event=${encodeURIComponent(hostile)}&Format=XML`,
]

test.for(styles)('%s', async (style, { withSettings }) => {
  const seed = seedOf(`legacy/well-formed, ${style}`)
  const documents: string[] = []
  for (const [at, chosen] of flags.entries())
    for (const other of fc.sample(beside, { seed: seed + at, numRuns: runs(1, 20) })) {
      const { url } = await withSettings(
        { ...other, LEGACY_XML_STYLE: style, ...(chosen === '' ? {} : { LEGACY_XML_FLAGS: chosen }) },
        caseData,
      )
      for (const target of targets) {
        const { body } = await ask(url, `/?${target}`)
        documents.push(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'latin1')))
      }
    }
  expect(await xmlFacts(documents)).toHaveLength(documents.length)
})
