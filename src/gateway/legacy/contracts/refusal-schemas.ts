// The schemas of refusals, and examples as data of those.

import { parseTemplate } from '../../../error-template.ts'
import type { Dialect } from '../../../settings.ts'
import { errorName } from '../habits/error-body.ts'
import { errorBodyIn } from '../habits/error-body-xml.ts'
import { rootElement, type Schema, textsIn, textType } from './schemas.ts'

/** @param words those that codes are written as */
export function refusalInJson(words: readonly string[], dialect: Dialect): Schema {
  const body = errorBodyIn('JSON', dialect)
  return templateSchema(body) ?? { type: 'object', ...members(errorName(body), words, body, dialect) }
}

export function refusalInXml(words: readonly string[], dialect: Dialect): Schema {
  const body = errorBodyIn('XML', dialect)
  return (
    templateSchema(body) ?? rootElement(dialect.serviceName, members('Error', words, body, { jsonFlags: [] }))
  )
}

/** A refusal of elements as data of that schema. */
export function exampleRefusalInXml(word: string, message: string, dialect: Dialect): object {
  return { Error: errorBodyIn('XML', dialect) === 'object' ? { Code: word, Message: message } : message }
}

/** `null` for a body that is no template, and not empty. */
function templateSchema(body: string): Schema | null {
  if (body === 'none') return { type: 'string', maxLength: 0 }
  const template = parseTemplate(body)
  if (template === null) return null
  const { kind, parts } = template
  if (kind !== 'json') return { type: 'string', description: 'For people; its wording may change.' }
  const filled = parts.map((part) => (part === '{status}' ? '400' : part)).join('')
  const data: unknown = JSON.parse(filled)
  return schemaOf(data)
}

function schemaOf(value: unknown): Schema {
  if (Array.isArray(value)) return { type: 'array' }
  if (typeof value !== 'object' || value === null) return { type: value === null ? 'null' : typeof value }
  const entries = Object.entries(value)
  return {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, one]) => [name, schemaOf(one)])),
  }
}

/** How JSON has texts; XML has no numbers. */
type Texts = Pick<Dialect, 'jsonFlags'>

function members(name: string, codes: readonly string[], body: string, texts: Texts): Schema {
  const message = { type: textType(texts), description: 'For people; its wording may change.' }
  if (body !== 'object') return { required: [name], properties: { [name]: message } }
  const error = {
    type: 'object',
    required: ['Code', 'Message'],
    properties: { Code: textsIn(codes, texts), Message: message },
  }
  return { required: [name], properties: { [name]: error } }
}
