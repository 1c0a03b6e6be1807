// Who uses what of GraphQL: operations and fields by the names that clients have for themselves. Names come
// from outside, and each series costs memory for good: of the clients and operations beyond these, all are
// `other`.

import { Counter, type Registry } from 'prom-client'
import type { GraphqlUse } from './events.ts'

const MAX_CLIENTS = 100
/** Pairs of a client and an operation. */
const MAX_OPERATIONS = 1000
/** Pairs of a client and an operation's fields whose counts wait to be added up. */
const MAX_WAITING = 1000

const OTHER = 'other'

export interface GraphqlUsage {
  readonly count: (use: GraphqlUse) => void
  /** Adds up what has been counted since the last time. */
  readonly flush: () => void
}

export function createGraphqlUsage(registers: Registry[]): GraphqlUsage {
  const operations = new Counter({
    name: 'lookup_graphql_operations_total',
    help: 'GraphQL operations executed, by client.',
    labelNames: ['client', 'operation'],
    registers,
  })
  const fields = new Counter({
    name: 'lookup_graphql_fields_total',
    help: 'GraphQL operations executed, by client and selected field.',
    labelNames: ['client', 'field'],
    registers,
  })
  const clients = new Map<string, Map<string, Counter.Internal>>()
  const waiting = new Map<string, Map<readonly string[], number>>()
  let pairs = 0
  let size = 0

  /** The counters of a client by operation; of too many clients, those of all others. */
  function operationsOf(name: string): [client: string, Map<string, Counter.Internal>] {
    const client = clients.has(name) || clients.size < MAX_CLIENTS ? name : OTHER
    const known = clients.get(client) ?? new Map<string, Counter.Internal>()
    clients.set(client, known)
    return [client, known]
  }

  function counterOf(client: string, known: Map<string, Counter.Internal>, name: string): Counter.Internal {
    const operation = known.has(name) || pairs < MAX_OPERATIONS ? name : OTHER
    let counter = known.get(operation)
    if (counter === undefined) {
      counter = operations.labels(client, operation)
      known.set(operation, counter)
      pairs++
    }
    return counter
  }

  function count({ client: clientName, operation, fields: selected }: GraphqlUse): void {
    const [client, known] = operationsOf(clientName)
    counterOf(client, known, operation).inc()
    // An operation has a dozen fields: to count each costs as much as to answer.
    const counts = waiting.get(client) ?? new Map<readonly string[], number>()
    waiting.set(client, counts)
    const before = counts.get(selected)
    counts.set(selected, (before ?? 0) + 1)
    if (before === undefined && ++size > MAX_WAITING) flush()
  }

  function flush(): void {
    for (const [client, counts] of waiting) {
      // Added up first: a counter is a dozen times as dear, and a client may send a new document each time.
      const sums = new Map<string, number>()
      for (const [selected, uses] of counts)
        for (const field of selected) sums.set(field, (sums.get(field) ?? 0) + uses)
      for (const [field, uses] of sums) fields.inc({ client, field }, uses)
    }
    waiting.clear()
    size = 0
  }

  return { count, flush }
}
