// A host name that gets another address: connections move there, though the old address still answers.

import dns from 'node:dns'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as mysql from '../../../src/stores/mysql/connection.ts'
import { errors as mysqlErrors } from '../../../src/stores/mysql/errors.ts'
import { connect as connectMysql } from '../../../src/stores/mysql/session.ts'
import * as postgres from '../../../src/stores/postgres/connection.ts'
import { errors as postgresErrors } from '../../../src/stores/postgres/errors.ts'
import { connect as connectPostgres } from '../../../src/stores/postgres/session.ts'
import type { Connect } from '../../../src/stores/servers/engine.ts'
import { createLogin, lookupLimits } from '../../../src/stores/servers/login.ts'
import { openPool } from '../../../src/stores/servers/pool.ts'
import { engines } from '../../kit/engines.ts'

describe.for(engines)('$name', ({ kind, shared }) => {
  test('within the lifetime of a connection', async () => {
    let address = '127.0.0.1'
    const resolveName = ((_name: string, options: dns.LookupOptions, done: DoneWithAll) =>
      options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)) as typeof dns.lookup
    vi.spyOn(dns, 'lookup').mockImplementation(resolveName)
    onTestFinished(() => void vi.restoreAllMocks())
    const url = (await shared()).url().replace('127.0.0.1', 'db.test')
    let reached: string | undefined
    const watched =
      <Config>(connect: Connect<Config>): Connect<Config> =>
      async (config, socket: Socket) => {
        const session = await connect(config, socket)
        reached = socket.remoteAddress
        return session
      }
    const limits = lookupLimits(2000)
    const sessions = { max: 1, maxLifetimeSeconds: 0.2 }
    const pool =
      kind === 'postgres'
        ? openPool(
            watched(connectPostgres),
            postgresErrors,
            createLogin(() => postgres.connectionTo(url, limits)),
            sessions,
          )
        : openPool(
            watched(connectMysql),
            mysqlErrors,
            createLogin(() => mysql.connectionTo(url, limits)),
            sessions,
          )
    onTestFinished(() => pool.close())
    const ask = async () => {
      await pool.begin({ name: '', text: 'SELECT 1', values: [] }, 2000).rows
      return reached
    }
    expect(await ask()).toBe('127.0.0.1')
    address = '127.0.0.2'
    expect(await ask()).toBe('127.0.0.1')
    await expect.poll(ask).toBe('127.0.0.2')
  })
})

type DoneWithAll = (error: null, address: string | dns.LookupAddress[], family?: number) => void
