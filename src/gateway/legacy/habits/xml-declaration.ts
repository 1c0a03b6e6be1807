import { optional } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { tellXmlStyle, type XmlStyleName, xmlStyles } from './xml-style.ts'

// All that is written is in UTF-8, so that no other encoding would be true.
const pattern =
  /^<\?xml version=(["'])1\.0\1(?: encoding=(["'])[Uu][Tt][Ff]-8\2)?(?: standalone=(["'])(?:yes|no)\3)? ?\?>$/

/** Both kinds of quotation marks: Python writes single ones. */
const setting = optional(
  'LEGACY_XML_DECLARATION',
  'omit, or an XML declaration of version 1.0, without an encoding or in UTF-8',
  'how XML begins; unset: as LEGACY_XML_STYLE has it',
  (text) => (text === 'omit' || pattern.test(text) ? text : undefined),
)

export const xmlDeclaration = habit({
  setting,
  effect: (value, { format }) => {
    if (value === null || format === 'JSON') return null
    return value === 'omit' ? 'XML has no declaration.' : 'The XML declaration is another one.'
  },
  tell: async (probing) => {
    const told = await tellXmlStyle(probing)
    if (told === null) return null
    const { declaration } = told.heard
    if (declaration === xmlStyles[told.style].declaration) return null
    return setting.parse(declaration ?? 'omit') ?? null
  },
})

/** @returns an empty text for none */
export function declarationOf(style: XmlStyleName, declaration: string | null): string {
  return declaration === 'omit' ? '' : (declaration ?? xmlStyles[style].declaration ?? '')
}
