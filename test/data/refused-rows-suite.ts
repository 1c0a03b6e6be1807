// A row with a number that GraphQL cannot represent, or with a text that is too long, fails one value of a
// GraphQL request, or one legacy request. No import accepts such rows.

import { expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { ask } from '../graphql/client.ts'
import type { Gateway } from '../kit/gateway.ts'

/** Too large, and too small, for an integer of GraphQL. */
export const rank = 2 ** 31
export const category = -(2 ** 31) - 1
export const longName = 'n'.repeat(1_001)
export const longLink = `https://a.example/${'n'.repeat(2_048)}`

type ServedRows = Pick<Gateway, 'url' | 'observations' | 'close'>

/**
 * @param start a gateway over data in which user 2 has `rank`, user 4 has `longName`, app 2 has `category`
 * and app 3 has `longLink`
 */
export function refusedRowsSuite(start: () => Promise<ServedRows>): void {
  const startHere = async () => {
    const gateway = await start()
    onTestFinished(gateway.close)
    const of = <Type extends Observation['type']>(type: Type) =>
      gateway.observations.filter((one): one is Extract<Observation, { type: Type }> => one.type === type)
    return { gateway, of, outcomes: () => of('request').map(({ about }) => about.outcome) }
  }

  test('GraphQL answers all other values, and the operator learns the row and its column', async () => {
    const { gateway, of, outcomes } = await startHere()
    const query = `{ users(values: ["1", "2", "4"]) { id } user(value: "2") { id }
      apps(ids: [1, 2, 3]) { id } app(id: 2) { id } }`
    // The first uses are interpreted, later ones compiled.
    for (let use = 1; use <= 4; use++) {
      const { status, data, errors } = await ask(gateway, { query })
      expect(status).toBe(200)
      const [user, app] = [null, null]
      expect(data).toEqual({ users: [{ id: '1' }, null, null], user, apps: [{ id: '1' }, null, null], app })
      const paths = errors?.map(({ path, extensions }) => `${path?.join('.')} ${extensions?.code}`)
      expect(paths?.toSorted()).toEqual(
        ['app', 'apps.1', 'apps.2', 'user', 'users.1', 'users.2'].map((path) => `${path} INTERNAL`),
      )
    }
    expect(outcomes()).toEqual(Array(4).fill('Internal'))
    const rows = of('rows-refused').map(({ relation, id, column }) => `${relation} ${id} ${column}`)
    expect([...new Set(rows)].toSorted()).toEqual([
      ...['apps 2 category', 'apps 3 changelog_link', 'users 2 rank', 'users 4 display_name'],
    ])
    expect([...of('unexpected'), ...of('store-failed')]).toEqual([])
  })

  test('the legacy interface fails only requests for the row', async () => {
    const { gateway, of, outcomes } = await startHere()
    const requests = [
      ['Event=ProfileLookup&Users=1:2:3', 500, 'Internal'],
      ['Event=ProfileLookup&Users=1:3', 200, 'ok'],
      ['Event=ProfileLookup&Users=1:4', 500, 'Internal'],
      ['Event=AppLookup&Apps=2', 500, 'Internal'],
      ['Event=AppLookup&Apps=1', 200, 'ok'],
      ['Event=AppLookup&Apps=3', 500, 'Internal'],
    ] as const
    for (const [query, status] of requests)
      expect((await fetch(`${gateway.url}/?${query}`)).status).toBe(status)
    expect(outcomes()).toEqual(requests.map(([, , outcome]) => outcome))
    expect(of('unexpected')).toEqual([])
  })
}
