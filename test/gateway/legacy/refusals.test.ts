// The examples of refusals in the contracts are what wrong queries are answered with.

import { expect, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { LookupError } from '../../../src/errors.ts'
import { exampleRefusals } from '../../../src/gateway/legacy/contracts/refusals.ts'
import type { LegacyEvent } from '../../../src/gateway/legacy/events/event.ts'
import { legacyEvents } from '../../../src/gateway/legacy/events/index.ts'
import { createRequestReader, type RequestReader } from '../../../src/gateway/legacy/request.ts'

test.for<[environment: Readonly<Record<string, string>>, refusals: number]>([
  [{}, 8],
  [{ LEGACY_MALFORMED: 'unknown' }, 7],
  [{ LEGACY_TOO_MANY: 'cut', LEGACY_LIST: 'colon-comma' }, 7],
  [{ LEGACY_LOOSE_IDS: 'canonical', LEGACY_DUPLICATES: 'each' }, 8],
  [{ LEGACY_LOOSE_IDS: 'php' }, 8],
  [{ LEGACY_LOOSE_IDS: 'numeric' }, 8],
  [{ LEGACY_CHAT_METHOD: 'email', LEGACY_MAX_VALUES: '3', LEGACY_SERVICE_NAME: 'Old' }, 8],
  [{ LEGACY_REPEATED: 'last' }, 7],
  [{ LEGACY_OTHER_FORMAT: 'json', LEGACY_OTHER_METHOD: 'id' }, 6],
  [{ LEGACY_NO_VALUES: 'refuse-missing' }, 8],
])('with %j', ([environment, count]) => {
  const { dialect } = readConfig({ environment })
  const events = legacyEvents(dialect)
  const { parse } = createRequestReader(events, dialect)
  const asked = wrongQueries(events, dialect.maxValues).flatMap((query) => refusalOf(query, parse) ?? [])
  const shown = exampleRefusals(events, dialect)
  expect(asked.length).toBe(count)
  expect(shown.slice(0, asked.length).map(describe)).toEqual(asked.map(describe))
  const others = shown.slice(asked.length).map(({ code }) => code)
  expect(others).toEqual(
    'MalformedHost MethodNotAllowed TooLongTarget TooManyRequests Internal Overloaded Unavailable'.split(' '),
  )
})

const describe = ({ code, message }: LookupError) => `${code}: ${message}`

function refusalOf(query: string, parse: RequestReader['parse']): LookupError | null {
  try {
    parse(query)
    return null
  } catch (error) {
    if (error instanceof LookupError) return error
    throw error
  }
}

function wrongQueries(events: readonly LegacyEvent[], maxValues: number): readonly string[] {
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
