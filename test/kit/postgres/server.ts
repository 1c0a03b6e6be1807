// A real PostgreSQL server that tests may stop, kill, freeze and bring back.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ServersLocation } from '../../../src/config/database.ts'
import { type Client, DatabaseServer, giveAllAway, type ServerCommand } from '../database-server.ts'
import { limits } from '../engine.ts'
import { sharedServer } from '../shared-server.ts'
import { connect } from './client.ts'
import { keptPrograms, makeKeptPrograms, type Programs } from './programs.ts'

export function locate(url: string, ...replicas: readonly string[]): ServersLocation {
  return { kind: 'postgres', url, peers: [], replicas, ...limits }
}

const quick = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
shared_buffers = 32MB
fsync = off
wal_receiver_status_interval = 100ms
wal_retrieve_retry_interval = 200ms
`

/** Roles that are members of `with_password` need one. */
const rules = `
host all +with_password 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`

export class PostgresServer extends DatabaseServer {
  protected readonly stopSignal = 'SIGINT'
  protected override readonly dropOptions = 'WITH (FORCE)'
  readonly locate = locate
  readonly #programs: Programs

  private constructor(programs: Programs, folder: string, port: number) {
    super(folder, port)
    this.#programs = programs
  }

  /** Starts a server over a copy of a data folder, by default an empty one. */
  static async start(programs = makeKeptPrograms(), from = programs.pristine, settings = '') {
    if (programs.home === keptPrograms().home) makeKeptPrograms()
    const folder = mkdtempSync(join(tmpdir(), 'lookup-postgres-data-'))
    cpSync(from, folder, { recursive: true })
    giveAllAway(folder)
    const server = new PostgresServer(programs, folder, await freePort())
    appendFileSync(join(folder, 'postgresql.conf'), quick + settings)
    await server.start()
    return server
  }

  /** The server that all tests share. */
  static async shared(): Promise<PostgresServer> {
    const { folder, port } = await sharedServer('postgres')
    return new PostgresServer(keptPrograms(), folder, port)
  }

  /** This server is stopped for a moment to be copied. */
  async startReplica(): Promise<PostgresServer> {
    await this.stop()
    writeFileSync(join(this.folder, 'standby.signal'), '')
    try {
      return await PostgresServer.start(this.#programs, this.folder, sourceOf(this))
    } finally {
      rmSync(join(this.folder, 'standby.signal'))
      await this.start()
    }
  }

  /** The other is stopped for a moment to be copied. */
  async rebuild(primary: DatabaseServer, asReplica = true): Promise<void> {
    await this.stop()
    await primary.stop()
    rmSync(this.folder, { recursive: true })
    cpSync(primary.folder, this.folder, { recursive: true })
    if (asReplica) writeFileSync(join(this.folder, 'standby.signal'), '')
    appendFileSync(join(this.folder, 'postgresql.conf'), sourceOf(primary))
    giveAllAway(this.folder)
    await primary.start()
    await this.start()
  }

  async follow(source: DatabaseServer): Promise<void> {
    await this.run(`ALTER SYSTEM SET ${sourceOf(source)}`)
    await this.run('SELECT pg_reload_conf()')
    const follows = `SELECT status = 'streaming' AND sender_port = ${source.port} FROM pg_stat_wal_receiver`
    await this.#until(follows)
  }

  async apply(does: boolean): Promise<void> {
    await this.run(`SELECT pg_wal_replay_${does ? 'resume' : 'pause'}()`)
  }

  async untilCaughtUp(primary: DatabaseServer): Promise<void> {
    const [row] = await primary.run('SELECT pg_current_wal_lsn()')
    await this.#until(`SELECT pg_last_wal_replay_lsn() >= '${row?.[0]}'`)
  }

  async promote(): Promise<void> {
    await this.run('SELECT pg_promote()')
  }

  /** @param sql its result is 1 once the condition holds */
  async #until(sql: string): Promise<void> {
    const late = AbortSignal.timeout(10_000)
    while ((await this.run(sql))[0]?.[0] !== 1) {
      late.throwIfAborted()
      await pause(20)
    }
  }

  url(database = 'postgres', user = 'postgres', password = ''): string {
    const login = password === '' ? user : `${user}:${encodeURIComponent(password)}`
    return `postgres://${login}@127.0.0.1:${this.port}/${database}`
  }

  connect(database?: string, user?: string): Promise<Client> {
    return connect(this.url(database, user))
  }

  protected command(): ServerCommand {
    return {
      program: join(this.#programs.bin, 'postgres'),
      args: ['-D', this.folder, '-p', String(this.port)],
      isReady: /ready to accept (?:read-only )?connections/,
    }
  }

  override async kill(): Promise<void> {
    await super.kill()
    // The next start would wait for what it takes for another server.
    rmSync(join(this.folder, 'postmaster.pid'), { force: true })
  }
}

/** The server of global set-up. */
export async function startShared(): Promise<PostgresServer> {
  const server = await PostgresServer.start()
  await server.run('CREATE ROLE with_password')
  writeFileSync(join(server.folder, 'pg_hba.conf'), rules)
  await server.run('SELECT pg_reload_conf()')
  return server
}

/** What a standby's settings say of the server that it follows. */
function sourceOf({ port }: DatabaseServer): string {
  return `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`
}

/**
 * A port of 127.0.0.1 that is free, below those that the kernel gives to outgoing connections: while its
 * server is away, no connection of another test takes it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
