import type { Dialect } from '../../../../settings.ts'
import { errorName } from '../../habits/error-body.ts'
import { AsciiText, ascii } from '../ascii.ts'
import type { WriteError } from '../format.ts'
import { layoutOf } from './layout.ts'
import { textWriter } from './texts.ts'

export function errorWriter(dialect: Dialect): WriteError {
  const { open, close, next, colon, end } = layoutOf(dialect)
  const write = textWriter(dialect)
  const isObject = dialect.errorBody === 'object'
  const before = `{${open(1)}"${errorName(dialect.errorBody)}"${colon}`
  const after = `${close(1)}}${end}`
  const start = ascii(isObject ? `${before}{${open(2)}"Code"${colon}` : before)
  const middle = ascii(`${next(2)}"Message"${colon}`)
  const last = ascii(isObject ? `${close(2)}}${after}` : after)
  return (code, message) => {
    const out = new AsciiText()
    out.addBytes(start)
    if (isObject) {
      write(out, code)
      out.addBytes(middle)
    }
    write(out, message)
    out.addBytes(last)
    return out.take()
  }
}
