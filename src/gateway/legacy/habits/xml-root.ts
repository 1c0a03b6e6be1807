import { optional } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { hearXml } from './heard-xml.ts'

/** Characters of all attributes. */
const MAX_LENGTH = 200

/** Some services tell their version, or a count that never changes. */
export const xmlRoot = habit({
  setting: optional(
    'LEGACY_XML_ROOT',
    'attributes such as version="1.0"',
    'what the XML root has, in errors, too',
    (text) => (attributesIn(text) === null ? undefined : text),
  ),
  effect: (value, { format }) =>
    value === null || format === 'JSON' ? null : `The XML root has the attributes ${value}.`,
  tell: async (probing) => {
    const [first, ...others] = (await hearXml(probing))?.roots ?? []
    if (first === undefined || attributesIn(first) === null) return null
    return others.every((other) => other === first) ? first : null
  },
})

/** Names and values, in order; `null` where the text is not allowed: one blank stands between two. */
export function attributesIn(text: string): readonly (readonly [name: string, value: string])[] | null {
  if (text.length > MAX_LENGTH) return null
  const attribute =
    /([A-Za-z_][\w.-]*)=(?:"([^"<&\x00-\x1f\x7f-\uffff]*)"|'([^'<&\x00-\x1f\x7f-\uffff]*)')( |$)/y
  const found = new Map<string, string>()
  for (let at = 0; at < text.length || found.size === 0; at = attribute.lastIndex) {
    const [whole, name = '', inDouble, inSingle = '', blank] = attribute.exec(text) ?? []
    const isLast = attribute.lastIndex === text.length
    if (whole === undefined || name === 'xmlns' || found.has(name) || isLast !== (blank === '')) return null
    found.set(name, inDouble ?? inSingle)
  }
  return [...found]
}
