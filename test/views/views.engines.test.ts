// `lookup views` over the tables of forum programs, as these create and fill them, on their engine: what
// lookups find, how long they take, and that the forum goes on.

import { afterAll, beforeAll, describe, expect } from 'vitest'
import { usernameKey } from '../../src/model.ts'
import type { TestDatabase } from '../kit/engine.ts'
import { engines, watchStore } from '../kit/engines.ts'
import { test } from '../kit/test.ts'
import { makeWorkplace } from '../kit/workplace.ts'
import { discourse } from './forums/discourse.ts'
import type { Person, TestForum } from './forums/forum.ts'
import { mysqlForums } from './forums/mysql-forums.ts'

const CROWD = 50_000
const FIRST = 1_000
const now = Math.floor(Date.now() / 1000)

const somebody = { display: '', joined: 1_328_004_000, group: 2, isConfirmed: true, ban: null, chat: null }
const persons: readonly Person[] = [
  { ...somebody, id: 10, name: 'Nora', display: 'Nora <3 & \u{1f600}', chat: 'chat#10' },
  { ...somebody, id: 11, name: 'Élodie Roux', isConfirmed: false, chat: 'Chat 11' },
  { ...somebody, id: 12, name: 'ΟΔΥΣΣΕΥΣ', ban: 0, group: 1 },
  { ...somebody, id: 13, name: 'kite', ban: now - 3600 },
  { ...somebody, id: 14, name: 'Milo K', ban: now + 3600 },
  { ...somebody, id: 15, name: 'Tom & "Jo" <3' },
  { ...somebody, id: 16, name: 'ＭＩＬＯ ﬁ' },
].map((person) => ({ ...person, display: person.display || person.name }))

const member = (id: number): Person => {
  const name = `${id % 7 === 0 ? 'Mémber' : 'Member'} ${id}`
  const chat = id % 3 === 0 ? null : `chat#${id}`
  return { ...somebody, id, name, display: name, joined: id, ban: id % 50 === 0 ? 0 : null, chat }
}

/** The statements that fill the tables of a forum. */
function* inserts({ rows }: TestForum, persons: readonly Person[]): Generator<string> {
  for (let from = 0; from < persons.length; from += 1_000) {
    const entries = persons.slice(from, from + 1_000).flatMap((person) => Object.entries(rows(person)))
    for (const [table, group] of Map.groupBy(entries, ([table]) => table))
      yield `INSERT INTO ${table} VALUES ${group.map(([, values]) => values).join()}`
  }
}

const userOf = ({ lacks = [] }: TestForum, { id, name, display, ...rest }: Person) => ({
  ...{ id, username: name, displayName: lacks.includes('display') ? name : display },
  rank: lacks.includes('group') ? expect.any(Number) : rest.group,
  ...{ joinDate: rest.joined, isConfirmed: rest.isConfirmed },
  banned: rest.ban !== null && (lacks.includes('ban end') || rest.ban === 0 || rest.ban > now),
})

const cases = engines.flatMap((engine) =>
  (engine.kind === 'postgres' ? [discourse] : mysqlForums).map((forum) => ({
    ...{ engine, forum, name: `${forum.program} on ${engine.name}` },
    // Once is enough for each program, and one program for MySQL.
    crowd: engine.name === 'MySQL' && forum.program !== 'phpbb' ? 0 : CROWD,
  })),
)

describe.for(cases)('$name', ({ engine, forum, crowd }) => {
  const isMysql = engine.kind === 'mysql'
  const reader = `reader_${forum.program}`
  const place = makeWorkplace()
  let database: TestDatabase
  let printed = ''
  let url = ''

  const views = (...flags: string[]) =>
    place.run(['views', forum.program, '--chat', forum.chat, '--database', database.url, ...flags])
  /** The statements below a title of the output. */
  const statementsOf = (title: string) => {
    const [, text = ''] = new RegExp(`-- ${title}.*\\n([^]*?)(?:\\n\\n|$)`).exec(printed) ?? []
    const lines = text.split('\n').map((line) => line.replace(/^-- /, '').replace(/;$/, ''))
    return lines.filter(Boolean)
  }
  const idsOf = async (by: 'USERNAME' | 'CHAT', values: readonly string[]) => {
    const { store } = await watchStore(engine.locate(url))
    const users = await store.findUsers(by, values)
    return users.map((user) => (user !== null && 'id' in user ? user.id : user))
  }
  const idsByName = (...names: string[]) => idsOf('USERNAME', names.map(usernameKey))

  beforeAll(async () => {
    const server = await engine.shared()
    database = await server.makeDatabase(isMysql ? 'CHARACTER SET utf8mb4' : '')
    const { run } = database
    for (const statement of forum.tables.split(';')) await run(statement)
    if (isMysql) await run(`SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO'`)
    for (const [table, rows] of Object.entries(forum.hidden)) await run(`INSERT INTO ${table} VALUES ${rows}`)
    const all = [...persons, ...Array.from({ length: crowd }, (_, index) => member(FIRST + index))]
    for (const statement of inserts(forum, all)) await run(statement)
    // The statistics of a forum are older than a moment.
    const tables = [...forum.tables.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name)
    await run(isMysql ? `ANALYZE TABLE ${tables}` : 'ANALYZE')
    const applied = await views('--apply')
    const stdout = expect.stringContaining('The views users and apps are made')
    expect(applied).toMatchObject({ status: 0, stdout })
    printed = applied.stdout.replaceAll('lookup_reader', reader)
    for (const statement of statementsOf('A reader')) await run(statement)
    const home = isMysql ? `/${database.name}_lookup` : `/${database.name}?options=-c%20search_path%3Dlookup`
    url = database.url
      .replace(/\/\/.*@/, `//${reader}:choose%20a%20password@`)
      .replace(`/${database.name}`, home)
  }, 300_000)

  afterAll(async () => {
    if (isMysql)
      await database?.run(`DROP DATABASE IF EXISTS ${database.name}_lookup; DROP USER IF EXISTS ${reader}`)
    else await database?.run(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`)
    await database?.remove()
    await place.remove()
  })

  test('shows users by id, and no others', async () => {
    const { store } = await watchStore(engine.locate(url))
    const ids = [...persons.map(({ id }) => String(id)), '1', '2', '8', '9']
    const users = persons.map((person) => userOf(forum, person))
    expect(await store.findUsers('ID', ids)).toEqual([...users, null, null, null, null])
    let count = 0
    // As many at a time as the gateway counts.
    for (let slice = await store.countAfter?.('users', 0, 10_000); slice !== undefined && slice.count > 0; ) {
      count += slice.count
      slice = await store.countAfter?.('users', slice.last, 10_000)
    }
    expect(count).toBe(persons.length + crowd)
  })

  test('finds users by name and by chat id', async () => {
    expect(await idsByName(...persons.map(({ name }) => name))).toEqual(persons.map(({ id }) => id))
    expect(await idsByName('NORA', 'nora', 'élodie roux', 'Οδυσσεύς', 'οδυσσευς')).toEqual([
      ...[10, 10, 11, null, 12],
    ])
    expect(await idsByName('nora ', ' nora', 'Elodie Roux', 'KITE ', 'E\u0301lodie Roux')).toEqual([
      ...[null, null, null, null, 11],
    ])
    expect(await idsByName('milo fi', 'ｍｉｌｏ ﬁ', 'ＫＩＴＥ', 'tom & "jo" <3')).toEqual([16, 16, 13, 15])
    expect(await idsOf('CHAT', ['chat#10', 'CHAT#10', 'Chat 11', 'chat#10 ', ''])).toEqual([
      ...[10, null, 11, null, null],
    ])
  })

  test('has apps, or none', async () => {
    const { store } = await watchStore(engine.locate(url))
    const app = (id: number, title: string, version: string, category: number) => ({
      ...{ id, title, version, category, changelogLink: `https://forum.example/resources/${id}/history` },
      downloadLink: `https://forum.example/resources/${id}/`,
    })
    expect(await store.findApps(['7', '8', '9', '10'])).toEqual(
      forum.program === 'xenforo'
        ? [app(7, 'Kite', '2.10.3', 2), app(8, 'Boat & Co', '1.4.0', 3), null, app(10, 'New', '0.0.0', 3)]
        : [null, null, null, null],
    )
  })

  test('the check finds nothing', async () => {
    const outcome = await place.run(['check', '--database', url])
    expect(outcome).toMatchObject({ stdout: expect.stringContaining('Nothing found'), status: 0 })
  })

  test.runIf(crowd > 0)('looks up 100 values in 60 ms', async () => {
    const { store } = await watchStore(engine.locate(url))
    const ids = Array.from({ length: 100 }, (_, index) => FIRST + 1 + index * 3 * 150)
    const values = {
      ID: ids.map(String),
      USERNAME: ids.map((id) => usernameKey(member(id).name)),
      CHAT: ids.map((id) => `chat#${id}`),
    } as const
    for (const method of ['ID', 'USERNAME', 'CHAT'] as const) {
      const times: number[] = []
      for (let time = 0; time < 10; time++) {
        const start = performance.now()
        const users = await store.findUsers(method, values[method])
        times.push(performance.now() - start)
        const expected = method === 'CHAT' ? ids.filter((id) => id % 3 !== 0) : ids
        expect(users.filter((user) => user !== null)).toHaveLength(expected.length)
      }
      expect(Math.min(...times)).toBeLessThan(60)
    }
  })

  test('the forum goes on, and removes the views before an upgrade', async () => {
    const { run } = database
    const [table, column, length] = forum.name
    const insert = async (name: string, written: string = column) => {
      const [[target = '', values] = []] = Object.entries(forum.insert(name))
      await run(`INSERT INTO ${target.replace(new RegExp(`\\b${column}\\b`), written)} VALUES ${values}`)
    }
    // Its lower case takes more bytes, and its letters are younger than most collations.
    const longest = (printed.includes('.names') ? 'Ⱥ' : 'É').repeat(length)
    await insert(longest)
    expect(await idsByName(longest)).toEqual([900_000])
    await run(`UPDATE ${table} SET ${column} = 'renamed' WHERE ${column} = '${longest}'`)
    expect(await idsByName(longest)).toEqual([null])
    await run(`DELETE FROM ${table} WHERE ${column} = 'renamed'`)
    const again = await views('--apply')
    expect(again.stdout.replaceAll('lookup_reader', reader)).toBe(printed)

    if (isMysql) {
      // Even if its operator has forgotten the views.
      await run(`ALTER TABLE ${table} RENAME COLUMN ${column} TO other_name`)
      await insert('somebody else', 'other_name')
      await run(`ALTER TABLE ${table} RENAME COLUMN other_name TO ${column}`)
    } else await expect(run(`ALTER TABLE ${table} DROP COLUMN ${column}`)).rejects.toThrow(/depend/)
    const removal = statementsOf('Before you upgrade')
    expect(removal.length).toBeGreaterThan(0)
    for (const statement of removal) await run(statement)
    if (isMysql) {
      const left = `SELECT trigger_name AS name FROM information_schema.triggers WHERE trigger_schema = database()
        UNION SELECT index_name FROM information_schema.statistics
        WHERE index_name LIKE 'lookup%' AND table_schema = database()`
      expect(await run(left)).toEqual([])
    } else await run(`ALTER TABLE ${table} DROP COLUMN ${column}`)
  })
})
