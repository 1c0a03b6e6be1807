import { type Notes, noted } from './notes.ts'
import { type Token, visible } from './token.ts'

const piece = /<!\[CDATA\[.*?\]\]>|<[^>]*>|[^<]+/gs
const cdata = /^<!\[CDATA\[(.*)\]\]>$/s
const tag = /^<([^\s/>]+)((?:\s.*?)?)(\/?>|\?>)$/s
const reference = /&(?:#x([\dA-Fa-f]+)|#(\d+)|(\w+));/g
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Lays out over lines the XML that the gateway writes, which has no comments and no mixed content. Texts are
 * shown decoded, and sections of CDATA as the texts they hold.
 * @throws SyntaxError where its elements do not fit into each other
 */
export function formatXml(body: string, { ofElement, ofText }: Omit<Notes, 'texts'>): Token[] {
  const tokens: Token[] = []
  const open: string[] = []
  let afterText = false
  const line = () => {
    if (tokens.length > 0) tokens.push({ text: `\n${'  '.repeat(open.length)}`, kind: 'plain' })
  }
  const parts = body.match(piece) ?? []
  for (const [at, part] of parts.entries()) {
    const [, section] = cdata.exec(part) ?? []
    if (section !== undefined) {
      tokens.push({ text: visible(section), kind: 'string' })
      afterText = true
    } else if (!part.startsWith('<')) {
      // Line ends around the root, and indentation, are none of its text.
      if (open.length === 0 || isIndentation(part, parts[at - 1], parts[at + 1])) continue
      const note = ofElement.get(open.at(-1) ?? '') ?? ofText(part)
      tokens.push({ text: decoded(part), kind: 'string', ...noted(note) })
      afterText = true
    } else if (part.startsWith('</')) {
      if (`</${open.pop()}>` !== part) throw new SyntaxError(`${part} ends nothing`)
      if (!afterText && !isStart(parts[at - 1])) line()
      tokens.push({ text: part, kind: 'name' })
      afterText = false
    } else {
      const [, name, attributes = '', end = ''] = tag.exec(part) ?? []
      if (name === undefined) throw new SyntaxError(`${part} is no element`)
      const closes = end !== '>'
      const isEmpty = closes || parts[at + 1]?.startsWith('</')
      line()
      tokens.push({ text: `<${name}`, kind: 'name', ...(isEmpty ? noted(ofElement.get(name)) : {}) })
      if (attributes !== '')
        tokens.push({ text: decodedAttributes(attributes), kind: 'string', ...noted(ofText(attributes)) })
      tokens.push({ text: end, kind: 'name' })
      if (!closes) open.push(name)
      afterText = false
    }
  }
  if (open.length > 0) throw new SyntaxError(`${open.at(-1)} does not end`)
  return tokens
}

/** Blanks are a text only where they are all that an element holds. */
function isIndentation(part: string, before = '', after = ''): boolean {
  return /^\s+$/.test(part) && !(isStart(before) && after.startsWith('</'))
}

function isStart(part = ''): boolean {
  return /^<[^/!]/.test(part) && !part.endsWith('/>')
}

function decoded(text: string): string {
  const read = text.replace(reference, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return named[name] ?? whole
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
  return visible(read)
}

/** A quotation mark stays what it came as: bare, it would seem to end the value. */
function decodedAttributes(text: string): string {
  return text.split('&quot;').map(decoded).join('&quot;')
}
