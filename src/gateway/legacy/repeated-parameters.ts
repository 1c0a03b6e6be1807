// What is read of a parameter that may be given more than once.

import { LookupError } from '../../errors.ts'
import type { Dialect } from '../../settings.ts'

/** @param parameters names and values in turn */
type ReadRepeated = (name: string, parameters: readonly string[]) => string | undefined

/** @throws LookupError `RepeatedParameter` */
const readOnce: ReadRepeated = (name, parameters) => {
  let value: string | undefined
  for (let at = 0; at < parameters.length; at += 2) {
    if (parameters[at] !== name) continue
    if (value !== undefined) throw new LookupError('RepeatedParameter', [name])
    value = parameters[at + 1]
  }
  return value
}

const readFirst: ReadRepeated = (name, parameters) => {
  for (let at = 0; at < parameters.length; at += 2) if (parameters[at] === name) return parameters[at + 1]
  return undefined
}

const readLast: ReadRepeated = (name, parameters) => {
  for (let at = parameters.length - 2; at >= 0; at -= 2)
    if (parameters[at] === name) return parameters[at + 1]
  return undefined
}

export const repeatReaders: Readonly<Record<Dialect['repeated'], ReadRepeated>> = {
  refuse: readOnce,
  first: readFirst,
  last: readLast,
}
