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

type Served = Pick<Gateway, 'url' | 'observations' | 'close'>

/**
 * @param start a gateway over data in which user 2 has `rank`, user 4 has `longName`, app 2 has `category`
 * and app 3 has `longLink`
 */
export function refusedRowsSuite(start: () => Promise<Served>): void {
  const startHere = async () => {
    const gateway = await start()
    onTestFinished(gateway.close)
    const of = <Type extends Observation['type']>(type: Type) =>
      gateway.observations.filter((one): one is Extract<Observation, { type: Type }> => one.type === type)
    return { gateway, of, outcomes: () => of('request').map(({ about }) => about.outcome) }
  }

  test('GraphQL answers all other values', async () => {
    const { gateway, of, outcomes } = await startHere()
    const users = '{ users(values: ["1", "2", "3"]) { id } user(value: "2") { id }'
    // The first uses are interpreted, later ones compiled.
    for (let use = 1; use <= 4; use++) {
      const { status, data, errors } = await ask(gateway, {
        query: `${users} apps(ids: [1, 2]) { id } app(id: 2) { id } }`,
      })
      expect(status).toBe(200)
      expect(data).toEqual({
        users: [{ id: '1' }, null, { id: '3' }],
        user: null,
        apps: [{ id: '1' }, null],
        app: null,
      })
      const paths = errors?.map(({ path, extensions }) => `${path?.join('.')} ${extensions?.code}`)
      expect(paths?.toSorted()).toEqual(
        ['app', 'apps.1', 'user', 'users.1'].map((path) => `${path} INTERNAL`),
      )
    }
    expect(outcomes()).toEqual(Array(4).fill('Internal'))
    expect(of('unexpected')).toEqual([])
  })

  test('the legacy interface fails only requests for the row', async () => {
    const { gateway, of, outcomes } = await startHere()
    const requests = [
      ['Event=ProfileLookup&Users=1:2:3', 500, 'Internal'],
      ['Event=ProfileLookup&Users=1:3', 200, 'ok'],
      ['Event=AppLookup&Apps=2', 500, 'Internal'],
      ['Event=AppLookup&Apps=1', 200, 'ok'],
    ] as const
    for (const [query, status] of requests)
      expect((await fetch(`${gateway.url}/?${query}`)).status).toBe(status)
    expect(outcomes()).toEqual(requests.map(([, , outcome]) => outcome))
    expect(of('unexpected')).toEqual([])
  })

  test('a text that is too long refuses its row', async () => {
    const { gateway, of } = await startHere()
    const { data, errors } = await ask(gateway, {
      query: '{ users(values: ["1", "4"]) { id displayName } apps(ids: [1, 3]) { id } }',
    })
    expect(data).toMatchObject({ users: [{ id: '1' }, null], apps: [{ id: '1' }, null] })
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['INTERNAL', 'INTERNAL'])
    const rows = of('rows-refused').map(({ relation, id, column }) => `${relation} ${id} ${column}`)
    expect(rows.toSorted()).toEqual(['apps 3 changelog_link', 'users 4 display_name'])
    for (const query of ['Event=ProfileLookup&Users=1:4', 'Event=AppLookup&Apps=3'])
      expect((await fetch(`${gateway.url}/?${query}`)).status).toBe(500)
    expect(of('unexpected')).toEqual([])
  })

  test('the operator learns the row, its column, and how often', async () => {
    const { gateway, of } = await startHere()
    await ask(gateway, { query: '{ a: user(value: "2") { id } b: users(values: ["2", "1", "2"]) { id } }' })
    expect(of('rows-refused')[0]).toMatchObject({ relation: 'users', id: '2', column: 'rank', count: 1 })
    expect(of('store-failed')).toEqual([])
  })
}
