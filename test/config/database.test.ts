// The database that settings name: servers and their replicas, and secrets that stand in files.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { ConfigError, printConfig, readConfig } from '../../src/config/config.ts'
import { readSecret } from '../../src/config/files.ts'
import { test } from '../kit/test.ts'

type Settings = Readonly<Record<string, string>>
const locate = (environment: Settings) => readConfig({ environment }).database

function problemsOf(environment: Settings): readonly string[] {
  try {
    readConfig({ environment })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}

describe('replicas', () => {
  const noPrimary =
    'DATABASE_REPLICA_URLS needs a DATABASE_URL of PostgreSQL or MySQL: the primary of the replicas.'
  const otherKind = /^DATABASE_REPLICA_URLS names servers of another kind than DATABASE_URL\./

  test.for([
    ['without a primary', {}, 'postgres://a/x', noPrimary],
    ['of a file', { DATABASE_URL: 'sqlite:x.db' }, 'postgres://a/x', noPrimary],
    ['of another kind', { DATABASE_URL: 'postgres://a/x' }, 'mysql://b/x', otherKind],
    ['of two kinds', { DATABASE_URL: 'mysql://a/x' }, 'mariadb://b/x,postgres://c/x', otherKind],
    // Nothing is said of replicas whose primary cannot be read.
    ['of a bad primary', { DATABASE_URL: 'postgres:/a/x' }, 'postgres://b/x', /^DATABASE_URL .*cannot be/],
    [
      'of no file',
      { DATABASE_URL_FILE: '/nowhere' },
      'postgres://b/x',
      /^The file \/nowhere, of DATABASE_URL_FILE/,
    ],
  ] as const)('%s are refused', ([, primary, replicas, problem]) => {
    const wanted = problem instanceof RegExp ? expect.stringMatching(problem) : problem
    expect(problemsOf({ ...primary, DATABASE_REPLICA_URLS: replicas })).toEqual([wanted])
  })

  test('each host of a URL of MySQL is a server with its login', () => {
    const several = {
      DATABASE_URL: 'mysql://u:p@a,b:3307/x',
      DATABASE_REPLICA_URLS: 'mariadb://c,d/x,mysql://p,q@e/x',
    }
    expect(locate(several)).toMatchObject({
      url: 'mysql://u:p@a/x',
      peers: ['mysql://u:p@b:3307/x'],
      replicas: ['mariadb://c/x', 'mariadb://d/x', 'mysql://p,q@e/x'],
    })
  })
})

test('URLs of PostgreSQL are read as libpq reads them', () => {
  expect(locate({ DATABASE_URL: 'postgres://u:p@a:5433,b/x?sslmode=require' })).toMatchObject({
    url: 'postgres://u:p@a:5433/x?sslmode=require',
    peers: ['postgres://u:p@b/x?sslmode=require'],
  })
  expect(locate({ DATABASE_URL: 'postgresql://u:p%40@/x?host=/run/postgresql' })).toMatchObject({
    url: 'postgresql:///x?user=u&password=p%40&host=/run/postgresql',
    peers: [],
  })
  expect(locate({ DATABASE_URL: 'mysql://u@/x?socket=/run/mysqld.sock' })).toMatchObject({
    url: 'mysql:///x?user=u&socket=/run/mysqld.sock',
  })
})

describe('settings whose text stands in a file', () => {
  const urlOf = (host: string) => `postgres://u:secret@${host}.example/x`

  test('URLs, headers and a password', ({ place }) => {
    const fileOf = (name: string, text: string) => {
      place.write(name, text)
      return join(place.path, name)
    }
    const primary = fileOf('primary', 'postgres://u@a/x\n')
    const replicas = fileOf('replicas', 'postgres://r@b/x, postgres://r@c/x\n')
    const password = fileOf('password', 'p@ss/wörd%')
    const headersFile = fileOf('headers', 'Authorization: Bearer abc:def\nX-Tenant: a, "b"; c\n')
    const files = { DATABASE_URL_FILE: primary, DATABASE_REPLICA_URLS_FILE: replicas }
    expect(locate({ ...files, DATABASE_PASSWORD_FILE: password })).toMatchObject({
      url: 'postgres://u:p%40ss%2Fw%C3%B6rd%25@a/x',
      replicas: ['postgres://r:p%40ss%2Fw%C3%B6rd%25@b/x', 'postgres://r:p%40ss%2Fw%C3%B6rd%25@c/x'],
      files: {
        DATABASE_URL: { url: primary, password },
        DATABASE_REPLICA_URLS: { url: replicas, password },
      },
    })
    const headers = { Authorization: 'Bearer abc:def', 'X-Tenant': 'a, "b"; c' }
    const environment = {
      ...{ DATABASE_URL: 'http://old.example/', DATABASE_HEADERS_FILE: headersFile },
      ...{ SHADOW_URL: 'http://old.example/', SHADOW_HEADERS_FILE: headersFile },
    }
    const { database, shadow } = readConfig({ environment })
    expect([database, shadow]).toMatchObject([{ headers }, { headers }])
    const cutover = { CUTOVER_URL: 'http://old.example/', CUTOVER_HEADERS_FILE: headersFile }
    expect(readConfig({ environment: cutover }).cutover).toMatchObject({ headers })
  })

  test.for([
    ['DATABASE_URL', urlOf('a')],
    ['DATABASE_REPLICA_URLS', `${urlOf('b')},${urlOf('c')}`],
  ] as const)('both %s and its file are too much, but for a flag', ([name, text], { place }) => {
    place.write('secret', text)
    const beside: Settings = name === 'DATABASE_URL' ? {} : { DATABASE_URL: urlOf('a') }
    const environment = { ...beside, [`${name}_FILE`]: join(place.path, 'secret') }
    const both = (source: string) =>
      `${name} (${source}) and ${name}_FILE (environment) are both set. Remove one of them.`
    expect(problemsOf({ ...environment, [name]: text })).toEqual([both('environment')])
    expect(() => readConfig({ environment, envFile: { [name]: text } })).toThrow(both('.env'))
    const { database } = readConfig({ environment, flags: { DATABASE_URL: urlOf('flag') } })
    expect(database).toMatchObject({ url: urlOf('flag') })
  })

  test('a text that is not allowed is not shown, and the others are without their secrets', ({ place }) => {
    const environment = { DATABASE_URL_FILE: join(place.path, 'secret') }
    place.write('secret', 'a-secret')
    expect(problemsOf(environment)).toEqual([
      expect.stringMatching(
        /^The text in .+, of DATABASE_URL_FILE \(environment\), cannot be that of DATABASE_URL\./,
      ),
    ])
    expect(problemsOf(environment).join()).not.toContain('a-secret')
    place.write('secret', urlOf('a'))
    expect(printConfig({ environment })).toMatch(
      /^DATABASE_URL=postgres:\/\/u:\*\*\*@a\.example\/x +# DATABASE_URL_FILE=.+\/secret$/m,
    )
    expect(readConfig({ environment }).databaseChosen).toBe(true)
  })

  test('a password is given once, and that of a flag counts', ({ place }) => {
    place.write('secret', 'other')
    const files = { DATABASE_PASSWORD_FILE: join(place.path, 'secret') }
    const environment = { DATABASE_URL: urlOf('a'), ...files }
    expect(problemsOf(environment)).toEqual([
      'DATABASE_URL has a password, and so has DATABASE_PASSWORD_FILE (environment). Remove one of them.',
    ])
    const { database } = readConfig({ environment, flags: { DATABASE_URL: urlOf('flag') } })
    expect(database).toMatchObject({ url: urlOf('flag'), files: { DATABASE_URL: { password: null } } })
    expect(locate({ DATABASE_URL: 'postgres:///x?host=/run/postgresql', ...files })).toMatchObject({
      url: expect.stringMatching(/[?&]password=other$/),
    })
    expect(locate({ DATABASE_URL: 'mysql://u@a,b/x', ...files })).toMatchObject({
      ...{ url: 'mysql://u:other@a/x', peers: ['mysql://u:other@b/x'] },
    })
  })
})

describe('a file with a secret', () => {
  test('is a regular one, perhaps of no size: a pipe is not waited for', ({ place }) => {
    const pipe = join(place.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const other of ['/dev/zero', '/dev/null', '/', pipe])
      expect(() => readSecret(other)).toThrow(/^it is no regular file$/)
    expect(readSecret('/proc/self/stat')).toMatch(/^\d+ /)
  })
})
