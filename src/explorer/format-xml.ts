import { type Token, visible } from './token.ts'

const piece = /<[^>]*>|[^<]+/g
const reference = /&(?:#x([\dA-Fa-f]+)|#(\d+)|(\w+));/g
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Lays out over lines the XML that the gateway writes, which has no comments and no mixed content. Texts are shown decoded.
 * @param notes the number of the note on an element, by the element's name
 */
export function formatXml(body: string, notes: ReadonlyMap<string, number>): Token[] {
  const tokens: Token[] = []
  const plain = (text: string) => tokens.push({ text, kind: 'plain' })
  let depth = 0
  let afterText = false
  let note: number | undefined
  const line = () => tokens.length > 0 && plain(`\n${'  '.repeat(depth)}`)
  for (const part of body.match(piece) ?? []) {
    if (!part.startsWith('<')) {
      // Line ends around the root are none of its text.
      if (depth === 0) continue
      tokens.push({ text: decoded(part), kind: 'string', ...noted(note) })
      afterText = true
    } else if (part.startsWith('</')) {
      depth--
      if (!afterText) line()
      tokens.push({ text: part, kind: 'name' })
      afterText = false
      note = undefined
    } else {
      line()
      const [, name = '', attributes = '', end = ''] = /^<([^\s/>]+)(.*?)(\/?>|\?>)$/s.exec(part) ?? []
      note = notes.get(name)
      const closes = end === '/>' || end === '?>'
      tokens.push({ text: `<${name}`, kind: 'name', ...(closes ? noted(note) : {}) })
      if (attributes !== '') tokens.push({ text: decoded(attributes), kind: 'string' })
      tokens.push({ text: end, kind: 'name' })
      if (!closes) depth++
      afterText = false
    }
  }
  return tokens
}

function noted(note: number | undefined): { note?: number } {
  return note === undefined ? {} : { note }
}

function decoded(text: string): string {
  const read = text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
  return visible(read)
}
