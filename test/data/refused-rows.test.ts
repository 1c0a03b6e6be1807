import { describe } from 'vitest'
import { corrupt } from '../graphql/execution-support.ts'
import { startAnswering, userOf } from '../kit/answering.ts'
import { startGateway, startGatewayOver } from '../kit/gateway.ts'
import { category, longLink, longName, rank, refusedRowsSuite } from './refused-rows-suite.ts'

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
