import { type Notes, noted } from './notes.ts'
import { type Token, visible } from './token.ts'

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Lays JSON out over lines. It is never parsed as a whole: JavaScript would put keys like numbers in another
 * order, and round long ones. Texts are shown decoded.
 * @throws SyntaxError where it is no JSON
 */
export function formatJson(body: string, { ofText }: Pick<Notes, 'ofText'>): Token[] {
  // Whether it is any.
  JSON.parse(body)
  const tokens: Token[] = []
  const plain = (text: string) => tokens.push({ text, kind: 'plain' })
  let depth = 0
  const line = () => plain(`\n${'  '.repeat(depth)}`)
  const pieces = body.match(token) ?? []
  pieces.forEach((piece, at) => {
    const next = pieces[at + 1] ?? ''
    if (piece === '{' || piece === '[') {
      plain(piece)
      depth++
      if (next !== '}' && next !== ']') line()
    } else if (piece === '}' || piece === ']') {
      depth--
      if (!/[[{]/.test(pieces[at - 1] ?? '')) line()
      plain(piece)
    } else if (piece === ',') {
      plain(piece)
      line()
    } else if (piece === ':') plain(': ')
    else if (!piece.startsWith('"'))
      tokens.push({ text: piece, kind: /^[-\d]/.test(piece) ? 'number' : 'word' })
    else
      tokens.push({ text: decoded(piece), kind: next === ':' ? 'name' : 'string', ...noted(ofText(piece)) })
  })
  return tokens
}

function decoded(text: string): string {
  const value: unknown = JSON.parse(text)
  return visible(JSON.stringify(value))
}
