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
    (text) => (areAttributes(text) ? text : undefined),
  ),
  effect: (value, { format }) =>
    value === null || format === 'JSON' ? null : `The XML root has the attributes ${value}.`,
  tell: async (probing) => {
    const [first, ...others] = (await hearXml(probing))?.roots ?? []
    if (first === undefined || !areAttributes(first)) return null
    return others.every((other) => other === first) ? first : null
  },
})

/** Whether a text is distinct attributes, with one blank between two. */
function areAttributes(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  const attribute = /([A-Za-z_][\w.-]*)=(?:"[^"<&\x00-\x1f\x7f-\uffff]*"|'[^'<&\x00-\x1f\x7f-\uffff]*')( |$)/y
  const names = new Set<string>()
  for (let at = 0; at < text.length || names.size === 0; at = attribute.lastIndex) {
    const [whole, name = '', blank] = attribute.exec(text) ?? []
    const isLast = attribute.lastIndex === text.length
    if (whole === undefined || name === 'xmlns' || names.has(name) || isLast !== (blank === '')) return false
    names.add(name)
  }
  return true
}
