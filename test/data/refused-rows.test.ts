// A row with a number that GraphQL cannot represent, or with a text that is too long, fails one value of a
// GraphQL request, or one legacy request. No import accepts such rows.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { Observation } from '../../src/observe/events.ts'
import { ask } from '../graphql/client.ts'
import { corrupt } from '../graphql/execution-support.ts'
import { startAnswering, userOf } from '../kit/answering.ts'
import { type Gateway, startGateway, startGatewayOver } from '../kit/gateway.ts'

/** Too large, and too small, for an integer of GraphQL. */
const rank = 2 ** 31
const category = -(2 ** 31) - 1
const longName = 'n'.repeat(1_001)
const longLink = `https://a.example/${'n'.repeat(2_048)}`

type ServedRows = Pick<Gateway, 'url' | 'observations' | 'close'>

/**
 * @param start a gateway over data in which user 2 has `rank`, user 4 has `longName`, app 2 has `category`
 * and app 3 has `longLink`
 */
function refusedRowsSuite(start: () => Promise<ServedRows>): void {
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

describe('over SQLite', () =>
  refusedRowsSuite(async () => {
    const gateway = await startGateway()
    corrupt(gateway, `UPDATE users SET rank = ${rank} WHERE id = 2`)
    corrupt(gateway, `UPDATE apps SET category = ${category} WHERE id = 2`)
    const unchecked = 'PRAGMA ignore_check_constraints = ON'
    corrupt(gateway, `${unchecked}; UPDATE users SET display_name = '${longName}' WHERE id = 4`)
    corrupt(gateway, `${unchecked}; UPDATE apps SET changelog_link = '${longLink}' WHERE id = 3`)
    return gateway
  }))

describe('over an old service', () =>
  refusedRowsSuite(async () => {
    const app = { Title: 'A', Version: '1.0.0', ServiceDownloadLink: 'http://a/1/' }
    const old = await startAnswering(({ url = '' }, response) => {
      const { searchParams } = new URL(url, 'http://old/')
      const ids = (searchParams.get('Users') ?? searchParams.get('Apps') ?? '').split(':')
      const entryOf = searchParams.has('Users')
        ? (id: string) => ({
            ...{ ...userOf(id), Rank: id === '2' ? rank : 0 },
            DisplayName: id === '4' ? longName : '',
          })
        : (id: string) => ({
            ...{ ...app, Category: id === '2' ? category : 0 },
            ChangelogLink: id === '3' ? longLink : 'http://a/',
          })
      response.end(JSON.stringify(Object.fromEntries(ids.map((id) => [id, entryOf(id)]))))
    })
    const gateway = await startGatewayOver({ DATABASE_URL: old.url })
    const close = async () => {
      await gateway.close()
      old.close()
    }
    return { ...gateway, close }
  }))
