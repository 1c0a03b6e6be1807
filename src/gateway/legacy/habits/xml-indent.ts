import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { hearXml } from './heard-xml.ts'

const MOST = 8

/**
 * What each level adds to the beginning of a line; `null` where all is in one line. libxml2 has two blanks,
 * PHP's XMLWriter one, and strings in PHP none or a tab.
 */
export const xmlIndent = habit({
  setting: setting(
    'LEGACY_XML_INDENT',
    'none',
    `none, tab, or an integer from 0 to ${MOST}`,
    'blanks that each level of XML is indented by, an element a line; none: all in one line',
    (text) => {
      if (text === 'none') return null
      if (text === 'tab') return '\t'
      return /^[0-8]$/.test(text) ? ' '.repeat(Number(text)) : undefined
    },
  ),
  effect: (value, { format }) =>
    value === null || format === 'JSON' ? null : 'XML has one element on each line.',
  tell: async (probing) => {
    const text = (await hearXml(probing))?.texts.find((one) => one.includes('<Data'))
    if (text === undefined) return null
    const [, blanks] = />\r?\n([ \t]{0,9})<Data[ >]/.exec(text) ?? []
    if (blanks === undefined) return 'none'
    if (blanks === '\t') return 'tab'
    return /^ *$/.test(blanks) && blanks.length <= MOST ? String(blanks.length) : null
  },
})
