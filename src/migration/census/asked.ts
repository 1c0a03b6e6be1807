// What a client asks for, and what is wrong with it.

import { copyOf } from '../../text.ts'
import type { Asked as LookupNames } from '../logs/legacy.ts'

export interface Asked extends LookupNames {
  /** The code of the error with which the gateway answers, as it is set; empty for none. */
  readonly problem: string
}

/** Queries with an error whose names are told apart: clients make them up. */
const MAX_WRONG = 1_000

/** Stands for all further queries with an error. */
export const OTHER_ASKED: Asked = { event: 'other', method: 'other', format: 'other', problem: 'other' }

/** Returns one object for all equal ones, so that callers can compare objects by identity. */
export function createAskedTable(): (asked: Asked) => Asked {
  const table = new Map<string, Asked>()
  let wrong = 0
  return (asked) => {
    const { event, method, format, problem } = asked
    const key = `${event}\0${method}\0${format}\0${problem}`
    const known = table.get(key)
    if (known !== undefined) return known
    if (asked.problem !== '' && ++wrong > MAX_WRONG) return OTHER_ASKED
    const own = { event: copyOf(event), method: copyOf(method), format: copyOf(format), problem }
    table.set(key, own)
    return own
  }
}
