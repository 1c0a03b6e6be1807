// One example of every refusal, for the contracts: most come of asking for something wrong.

import { type FailureCode, LookupError } from '../../../errors.ts'
import type { Dialect } from '../dialect.ts'
import type { LegacyEvent } from '../events/event.ts'
import { refusalOf } from '../request.ts'

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

function wrongQueries(events: readonly LegacyEvent[], { maxValues }: Dialect): readonly string[] {
  const [event] = events
  if (event === undefined) return []
  const { name } = event
  const list = listOf(event)
  const right = rightQuery(event)
  const tooMany = Array.from({ length: maxValues + 1 }, (_, id) => id + 1)
  return [
    `Event=${name}`,
    `${right}&${list}=4`,
    right.replace(name, name.toLowerCase()),
    ...events.flatMap(wrongChoices).slice(0, 1),
    `${right}&Format=CSV`,
    `Event=${name}&${list}=ada`,
    `Event=${name}&${list}=${tooMany.join(':')}`,
    `${right}%`,
  ]
}

function rightQuery(event: LegacyEvent): string {
  return `Event=${event.name}&${listOf(event)}=${event.example.values.join(':')}`
}

function listOf({ parameters }: LegacyEvent): string | undefined {
  return parameters.find(({ list }) => list)?.name
}

/** Queries with a value that a parameter does not allow. */
function wrongChoices(event: LegacyEvent): readonly string[] {
  return event.parameters.flatMap(({ name, allowed }) => {
    const wrong = ['email', 'phone', 'other'].find((value) => allowed?.includes(value) === false)
    return wrong === undefined ? [] : [`${rightQuery(event)}&${name}=${wrong}`]
  })
}
