// One example of every refusal, for the contracts: most come of asking for something wrong.

import { type FailureCode, LookupError } from '../../errors.ts'
import type { Dialect } from '../dialect.ts'
import type { LegacyEvent } from '../events/event.ts'
import { parseLegacyRequest } from '../request.ts'

/** What happens around a query string, whatever it holds. */
const elsewhere: readonly (readonly [FailureCode, ...details: string[]])[] = [
  ['MalformedHost'],
  ['MethodNotAllowed', 'GET, HEAD'],
  ['TooLongTarget', '65536'],
  ['TooManyRequests', '42', '6000'],
  ['Internal'],
  ['Overloaded'],
  ['Unavailable'],
]

/** The refusals that a dialect knows. */
export function exampleRefusals(events: readonly LegacyEvent[], dialect: Dialect): readonly LookupError[] {
  const asked = wrongQueries(events, dialect).flatMap((query) => refusalOf(query, events) ?? [])
  return [...asked, ...elsewhere.map(([code, ...details]) => new LookupError(code, details))]
}

function wrongQueries([event]: readonly LegacyEvent[], { maxValues }: Dialect): readonly string[] {
  if (event === undefined) return []
  const { name, parameters, example } = event
  const list = parameters.find((parameter) => parameter.list)?.name
  const choice = parameters.find(({ allowed }) => allowed !== undefined)?.name
  const right = `Event=${name}&${list}=${example.values.join(':')}`
  const tooMany = Array.from({ length: maxValues + 1 }, (_, id) => id + 1)
  return [
    `Event=${name}`,
    `${right}&${list}=4`,
    right.replace(name, name.toLowerCase()),
    `${right}&${choice}=email`,
    `${right}&Format=CSV`,
    `Event=${name}&${list}=ada`,
    `Event=${name}&${list}=${tooMany.join(':')}`,
    `${right}%`,
  ]
}

function refusalOf(query: string, events: readonly LegacyEvent[]): LookupError | null {
  try {
    parseLegacyRequest(query, events)
    return null
  } catch (error) {
    if (error instanceof LookupError) return error
    throw error
  }
}
