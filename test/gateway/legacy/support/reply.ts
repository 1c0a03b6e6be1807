// What a reply's body says, read strictly: anything else than the contract's bytes is an error.

import type { FormatName, Reply } from './ask.ts'
import { unescapeXml } from './facts.ts'

export interface Refusal {
  readonly code: string
  readonly message: string
}

const xmlRefusal =
  /^<\?xml version="1\.0"\?>\n<(\w+API)><Error><Code>(\w+)<\/Code><Message>([^<>]+)<\/Message><\/Error><\/\1>\n$/
const jsonRefusal = /^\{"Error":\{"Code":"(\w+)","Message":("(?:[^"\\]|\\.)+")\}\}$/

/** @throws where the body is no refusal in this format */
export function refusalIn({ body }: Reply, format: FormatName): Refusal {
  if (format === 'XML') {
    const [, , code, message] = xmlRefusal.exec(body) ?? []
    if (code === undefined || message === undefined) throw new Error(`no XML refusal: ${body}`)
    return { code, message: unescapeXml(message) }
  }
  const [, code, message] = jsonRefusal.exec(body) ?? []
  if (code === undefined || message === undefined) throw new Error(`no JSON refusal: ${body}`)
  return { code, message: JSON.parse(message) }
}

/** What a ProfileLookup's answer holds, in order: `value → id of the user it found`, or `value → null`. */
export function usersIn({ body }: Reply, format: FormatName): string[] {
  const entry =
    format === 'XML'
      ? /<Data Value="([^"]*)"(?:\/>|><Id>(\d+)<)/g
      : /[{,]"((?:[^"\\]|\\.)*)":(?:\{"Id":(\d+)|null)/g
  const spelt = (value: string) => (format === 'XML' ? unescapeXml(value) : JSON.parse(`"${value}"`))
  return [...body.matchAll(entry)].map(([, value = '', id = 'null']) => `${spelt(value)} → ${id}`)
}

/** What the entries of an answer are named by, in order. */
export function namesIn({ body }: Reply, format: FormatName): string[] {
  const entry = format === 'XML' ? /<Data Value="([^"]*)"/g : /[{,]"((?:[^"\\]|\\.)*)":(?:\{|null)/g
  const spelt = (value: string) => (format === 'XML' ? unescapeXml(value) : JSON.parse(`"${value}"`))
  return [...body.matchAll(entry)].map(([, value = '']) => spelt(value))
}
