// What can be read of a request that is refused, even when the rest cannot.

import type { Dialect } from '../../settings.ts'
import type { FindFormat, FormatName } from './formats/index.ts'
import { decode } from './query-string.ts'

/**
 * Reads the event's name, whether there is such a one or not, and the format of the refusal, which is JSON
 * where none can be told. Decodes nothing but short names and these two values, and throws nothing: a refusal
 * must cost less than an answer.
 */
export type ReadRefused = (query: string) => { event: string | undefined; format: FormatName }

/** Characters of the longest name that is looked for, each of them percent-encoded. */
const MAX_NAME_LENGTH = 3 * 'Format'.length

interface Reading extends Pick<Dialect, 'repeated'> {
  /** `null` where names are read as they are. */
  readonly findName: ((name: string) => string | undefined) | null
  readonly findFormat: FindFormat
}

export function refusedReader({ findName, findFormat, repeated }: Reading): ReadRefused {
  const isLast = repeated === 'last'
  return (query) => {
    let event: string | undefined
    let format: FormatName | undefined
    for (const part of query.split('&')) {
      const equals = part.indexOf('=')
      const length = equals === -1 ? part.length : equals
      if (length === 0 || length > MAX_NAME_LENGTH) continue
      const given = decode(part.slice(0, length))
      const name = findName === null || given === null ? given : findName(given)
      if (name !== 'Event' && name !== 'Format') continue
      const value = decode(part.slice(length + 1))
      if (value === null) continue
      if (name === 'Event') event = isLast ? value : (event ?? value)
      else if (isLast || format === undefined) format = findFormat(value) ?? 'JSON'
      if (event !== undefined && format !== undefined && !isLast) break
    }
    return { event, format: format ?? 'JSON' }
  }
}
