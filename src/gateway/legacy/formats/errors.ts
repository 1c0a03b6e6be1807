// How the errors of a dialect are written, and which Content-Type they have.

import { parseTemplate } from '../../../error-template.ts'
import type { Dialect } from '../../../settings.ts'
import { errorBodyIn } from '../habits/error-body-xml.ts'
import { type FormatName, formats } from './index.ts'
import { templateWriter } from './template.ts'

interface ErrorFormat {
  /** The setting that says what they are, as it is in force. */
  readonly body: string
  readonly contentType: string
  readonly write: (code: string, message: string, status: number) => string
}

/** Chosen when the gateway starts. */
export function errorFormats(dialect: Dialect): Readonly<Record<FormatName, ErrorFormat>> {
  return { JSON: errorFormat('JSON', dialect), XML: errorFormat('XML', dialect) }
}

function errorFormat(name: FormatName, dialect: Dialect): ErrorFormat {
  const { errorType, errorBodyXml } = dialect
  const body = errorBodyIn(name, dialect)
  const template = parseTemplate(body)
  if (template === null && body !== 'none') {
    const { contentType, errors } = formats[name]
    return {
      body,
      contentType: name === 'JSON' && errorType !== null ? errorType : contentType(dialect),
      write: errors(dialect),
    }
  }
  const kind = template?.kind ?? 'text'
  const usual = {
    json: dialect.jsonType,
    xml: dialect.xmlType,
    html: 'text/html; charset=utf-8',
    text: 'text/plain; charset=utf-8',
  }[kind]
  // XML is of that type, unless it is said of what is answered where JSON is asked for.
  const isXml = kind === 'xml' && name === 'XML' && errorBodyXml !== null
  const contentType = isXml ? usual : (errorType ?? usual)
  if (template === null) return { body, contentType, write: () => '' }
  return {
    body,
    contentType,
    write: templateWriter(template, dialect, /html|xml/i.test(contentType)),
  }
}
