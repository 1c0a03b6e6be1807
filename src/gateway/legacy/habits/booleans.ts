import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { valuesOf } from './heard.ts'

const choices = ['boolean', 'integer', 'string', 'strval'] as const
type Choice = (typeof choices)[number]

/** MySQL's booleans are 0 and 1, as numbers or as text; PHP's own, as text, are "1" and "". */
export const booleans = habit({
  setting: oneOf(
    'LEGACY_BOOLEANS',
    'boolean',
    choices,
    'how JSON writes booleans: true or false, 1 or 0, "1" or "0", "1" or "" (PHP\'s strval)',
  ),
  effect: (value, { format, error }) =>
    value === 'boolean' || format !== 'JSON' || error !== null ? null : `Booleans are ${inWords[value]}.`,
  tell: async (probing) => {
    const said = await valuesOf(probing, ['IsConfirmed', 'Banned'])
    const fits = choices.filter((choice) => {
      const written = digitsOf(choice)
      return said.every(({ type, text }) =>
        written === null ? type === 'boolean' : type === jsonTypes[choice] && written.includes(text),
      )
    })
    // Of "1" alone it cannot be said what false would be; "0" is by far the more usual.
    return said.length === 0 ? null : (fits[0] ?? null)
  },
})

/** How false and true are written, without quotation marks; `null` where JSON has words for them. */
export function digitsOf(value: Choice): readonly [no: string, yes: string] | null {
  if (value === 'boolean') return null
  return value === 'strval' ? ['', '1'] : ['0', '1']
}

const jsonTypes = { boolean: 'boolean', integer: 'number', string: 'string', strval: 'string' } as const
const inWords = { integer: '1 or 0', string: '"1" or "0"', strval: '"1" or ""' } as const
