import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Probing, type Said, type SaidValue, valuesOf } from './heard.ts'

const choices = ['boolean', 'integer', 'string', 'strval'] as const
type Choice = (typeof choices)[number]

/** How XML has a field, by which one boolean is told from the other: IsConfirmed, Banned. */
type InXml = 'digit' | 'flag'

/**
 * MySQL's booleans are 0 and 1, as numbers or as text; PHP's own, as text, are "1" and "". Services that make
 * one array of texts for both formats have in JSON what the interface wants in XML: IsConfirmed is "0", and
 * Banned is "".
 */
export const booleans = habit({
  setting: setting(
    'LEGACY_BOOLEANS',
    'boolean',
    `${choices.join(', ')}, or two of them, comma-separated, for IsConfirmed and for Banned`,
    'how JSON writes booleans: true or false, 1 or 0, "1" or "0", "1" or "" (PHP\'s strval); string,strval: as XML has them',
    (text) => {
      const words = text.split(',', 3).map((word) => word.trim())
      const chosen = words.filter((word) => choices.some((choice) => choice === word))
      return chosen.length === words.length && words.length <= 2 ? [...new Set(words)].join(',') : undefined
    },
  ),
  effect: (value, { format, error }) => (format !== 'JSON' || error !== null ? null : sentence(value)),
  tell: async (probing) => {
    const [confirmed, banned] = await Promise.all(fields.map((field) => seenIn(probing, field)))
    if (confirmed === undefined || banned === undefined || confirmed.length + banned.length === 0) return null
    // Of "1" alone it cannot be said what false would be; "0" is by far the more usual.
    const [first] = choices.filter((choice) => fits(choice, [...confirmed, ...banned]))
    if (first !== undefined) return first
    const each = [confirmed, banned].map((said) => choices.find((choice) => fits(choice, said)))
    return each.includes(undefined) ? null : each.join(',')
  },
})

const fields = ['IsConfirmed', 'Banned'] as const

/** Of the users that are known, and of those in the lists that the list limit was looked for with. */
async function seenIn(probing: Probing, field: string): Promise<readonly SaidValue[]> {
  const { found } = await probing.listLimit()
  // Where fields stand for nobody, they say nothing of what somebody's would be.
  const others = [...found.values()].flatMap((said) => (isOfSomebody(said) ? (fieldsIn(said) ?? []) : []))
  return [
    ...(await valuesOf(probing, [field])),
    ...others.flatMap(([name, value]) => (name === field ? [value] : [])),
  ]
}

function isOfSomebody(said: Said): boolean {
  return fieldsIn(said)?.some(([name, { text }]) => name === 'Id' && /^[1-9]/.test(text)) === true
}

function fits(choice: Choice, said: readonly SaidValue[]): boolean {
  const written = digits[choice]
  return said.every(({ type, text }) =>
    written === null
      ? type === 'boolean'
      : written.includes(text) &&
        // JSON_NUMERIC_CHECK makes a number of "1", and leaves "".
        (type === jsonTypes[choice] || (choice === 'strval' && type === 'number')),
  )
}

/** How a boolean is written in JSON. */
export function booleanForm(value: string, inXml: InXml | undefined): Choice {
  const [first = '', second = first] = value.split(',')
  const word = inXml === 'flag' ? second : first
  return choices.find((choice) => choice === word) ?? 'boolean'
}

/** How false and true are written, without quotation marks; `null` where JSON has words for them. */
export function digitsOf(value: string, inXml: InXml | undefined): readonly [no: string, yes: string] | null {
  return digits[booleanForm(value, inXml)]
}

const digits: Readonly<Record<Choice, readonly [no: string, yes: string] | null>> = {
  boolean: null,
  integer: ['0', '1'],
  string: ['0', '1'],
  strval: ['', '1'],
}
const jsonTypes = { boolean: 'boolean', integer: 'number', string: 'string', strval: 'string' } as const
const inWords = {
  boolean: 'true or false',
  integer: '1 or 0',
  string: '"1" or "0"',
  strval: '"1" or ""',
} as const

function sentence(value: string): string {
  const [confirmed, banned] = (['digit', 'flag'] as const).map((inXml) => inWords[booleanForm(value, inXml)])
  return confirmed === banned
    ? `Booleans are ${confirmed}.`
    : `IsConfirmed is ${confirmed}, and Banned is ${banned}.`
}
