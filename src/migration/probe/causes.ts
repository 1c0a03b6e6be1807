// Why requests have another response than in a log: the choice of the dialect that would remove a difference.

import type { Dialect } from '../../legacy/dialect.ts'
import { valueAt } from '../../legacy/dialect-places.ts'
import type { Reply } from '../../legacy/errors.ts'
import { createFacade, replyTo, rowFinder } from '../../legacy/facade.ts'
import type { Reply as Response } from '../../stores/old-service/call.ts'
import { compare } from './differences.ts'
import { choicePlaces, fitDialect } from './fit.ts'
import { replyOf } from './replies.ts'
import { appsIn, distinct, graphqlRows, usersIn } from './rows.ts'

export interface Example {
  readonly query: string
  readonly old: Response
  readonly gateway: Response
}

/** A value of the dialect, such as `read.repeated` and `last`. */
export interface Remedy {
  readonly choice: string
  readonly value: unknown
}

/**
 * Fits the examples of all causes, and names for each cause the choices that remove its differences.
 * @param examples by cause
 * @param dialect of the gateway
 * @returns only causes that a choice removes
 */
export function findRemedies<Cause>(
  examples: ReadonlyMap<Cause, readonly Example[]>,
  dialect: Dialect,
): ReadonlyMap<Cause, readonly Remedy[]> {
  const all = [...examples.values()].flat()
  const responses = all.flatMap(({ old, gateway }) => [old, gateway])
  const rows = graphqlRows({
    users: distinct(responses.flatMap(usersIn)),
    apps: distinct(responses.flatMap(appsIn)),
  })
  const find = rowFinder(rows)
  const maxValues = Number.POSITIVE_INFINITY
  const remedies = new Map<Cause, readonly Remedy[]>()
  for (const [cause, some] of examples) {
    const replies = new Map(some.map(({ query, old }) => [query, replyOf(old)]))
    const fitted = fitDialect({ replies, rows, maxValues, mask: null }, [dialect]).dialect
    const facade = createFacade(fitted, maxValues)
    const differs = ([query, old]: readonly [string, Reply]) =>
      compare(old, replyTo(facade, find, query)).result === 'different'
    const changed = choicePlaces.flatMap(({ path }) => {
      const value = valueAt(fitted, path)
      return value === valueAt(dialect, path) ? [] : [{ choice: path.join('.'), value }]
    })
    if (changed.length > 0 && ![...replies].some(differs)) remedies.set(cause, changed)
  }
  return remedies
}
