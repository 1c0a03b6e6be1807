// Which texts XML has in CDATA sections, and what tells it.

import { plainName } from './fields.ts'

export const cdataFlags = {
  cdata: 'texts in CDATA sections',
  'filled-cdata': 'only texts that are not empty so',
  'needed-cdata': 'only texts with <, > or & so',
} as const
export type CdataFlag = keyof typeof cdataFlags

const flags: readonly CdataFlag[] = ['cdata', 'filled-cdata', 'needed-cdata']
const textFields: readonly string[] = [
  ...['Username', 'DisplayName', 'Title', 'Version', 'ChangelogLink', 'DownloadLink'],
]
const EXCEPT = 'no-cdata:'

/** Whether a flag names a field whose text is in no section. */
export function isException(flag: string): boolean {
  return flag.startsWith(EXCEPT) && textFields.includes(plainName(flag.slice(EXCEPT.length)))
}

/** How the text of a field is written; `null` for one in no section. */
export function cdataOf(set: readonly string[], field: string): CdataFlag | null {
  const excepted = set.filter(isException).map((flag) => plainName(flag.slice(EXCEPT.length)))
  return excepted.includes(plainName(field)) ? null : (flags.find((flag) => set.includes(flag)) ?? null)
}

/** Whether a text cannot stand in XML as it is. */
export function needsCdata(text: string): boolean {
  return /[<>&]/.test(text)
}

interface Seen {
  readonly name: string
  readonly text: string
  readonly isSection: boolean
}

/** @param texts answers. @returns none where no flags are like them */
export function cdataFlagsIn(texts: readonly string[]): string[] {
  const seen = texts.flatMap(elementsIn)
  const sections = seen.filter(({ isSection }) => isSection)
  if (sections.length === 0) return []
  const bare = seen.filter(({ isSection, text }) => !isSection && text !== '')
  const isNeeded = bare.length > 0 && sections.every(({ text }) => needsCdata(text))
  // Where sections are for what needs them, a field with an escape has none; else one with a text outside.
  const names = (isNeeded ? bare.filter(({ text }) => text.includes('&')) : bare).map(({ name }) => name)
  const excepted = textFields.filter((field) => names.some((name) => plainName(name) === field))
  if (sections.some(({ name }) => excepted.includes(plainName(name)))) return []
  const exceptions = excepted.map((field) => EXCEPT + field)
  if (isNeeded) return ['needed-cdata', ...exceptions]
  const empty = seen.filter(({ text, name }) => text === '' && !excepted.includes(plainName(name)))
  const isFilled = empty.length > 0 && empty.every(({ isSection }) => !isSection)
  return [isFilled ? 'filled-cdata' : 'cdata', ...exceptions]
}

const element =
  /<(Username|DisplayName|Title|Version|\w{0,60}Link)(?: ?\/>|>(?:<!\[CDATA\[(.*?)\]\]>|([^<]*))<)/gs

function elementsIn(xml: string): Seen[] {
  // Of a section that ends in its text and begins anew, one is left.
  return [...xml.replaceAll(']]]]><![CDATA[>', '>').matchAll(element)].map(
    ([, name = '', section, text = '']) => ({
      name,
      text: section ?? text,
      isSection: section !== undefined,
    }),
  )
}
