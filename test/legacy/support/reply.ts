// Reads an error strictly: other bytes than those of the contract throw.

import type { FormatName, Reply } from './ask.ts'
import { unescapeXml } from './facts.ts'

export interface Refusal {
  readonly code: string
  readonly message: string
}

const xmlRefusal =
  /^<\?xml version="1\.0"\?>\n<(\w+API)><Error><Code>(\w+)<\/Code><Message>([^<>]+)<\/Message><\/Error><\/\1>\n$/
const jsonRefusal = /^\{"Error":\{"Code":"(\w+)","Message":("(?:[^"\\]|\\.)+")\}\}$/

/** @throws if the body is no error in this format */
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
