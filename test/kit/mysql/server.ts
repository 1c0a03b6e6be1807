// A real MariaDB or MySQL server that tests may stop, kill, freeze and bring back.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServersLocation } from '../../../src/config/database.ts'
import { type Client, DatabaseServer, giveAllAway, type ServerCommand } from '../database-server.ts'
import { limits } from '../engine.ts'
import { freePort } from '../postgres/server.ts'
import { sharedServer } from '../shared-server.ts'
import { connect } from './client.ts'
import { type Flavour, pristineFolder, serverCommand, sizes } from './programs.ts'

export function locate(url: string, ...replicas: readonly string[]): ServersLocation {
  return { kind: 'mysql', url, peers: [], replicas, ...limits }
}

const quick = [
  '--bind-address=127.0.0.1',
  '--innodb-buffer-pool-size=32M',
  // What was committed outlives a killed process, though not a lost machine.
  '--innodb-flush-log-at-trx-commit=2',
  '--skip-name-resolve',
  '--performance-schema=OFF',
  '--table-open-cache=400',
]

const replicationFlags = {
  mariadb: ['--log-bin', '--binlog-format=ROW', '--log-slave-updates', '--slave-net-timeout=2'],
  mysql: ['--log-bin=binlog', '--gtid-mode=ON', '--enforce-gtid-consistency=ON', '--replica-net-timeout=2'],
} as const satisfies Record<Flavour, readonly string[]>

export class MysqlServer extends DatabaseServer {
  /** The identifier of the last server: each needs another one. */
  static #lastId = 1
  protected readonly stopSignal = 'SIGTERM'
  readonly locate = locate
  readonly flavour: Flavour
  #flags: readonly string[]

  private constructor(flavour: Flavour, folder: string, port: number, flags: readonly string[]) {
    super(folder, port)
    this.flavour = flavour
    this.#flags = flags
  }

  /** Starts a server over a copy of a data folder, by default an empty one. */
  static async start(flavour: Flavour, flags: readonly string[] = [], from = pristineFolder(flavour)) {
    const folder = mkdtempSync(join(tmpdir(), `lookup-${flavour}-data-`))
    const server = new MysqlServer(flavour, folder, await freePort(), flags)
    server.#copy(from)
    try {
      await server.start()
      return server
    } catch (error) {
      await server.remove()
      throw error
    }
  }

  /** The server that all tests share. */
  static async shared(flavour: Flavour): Promise<MysqlServer> {
    const { folder, port } = await sharedServer(flavour)
    return new MysqlServer(flavour, folder, port, [])
  }

  /** Starts a server that others may follow. */
  static startPrimary(flavour: Flavour, flags: readonly string[] = []): Promise<MysqlServer> {
    return MysqlServer.start(flavour, [...replicationFlags[flavour], '--server-id=1', ...flags])
  }

  /** Starts a server that may follow another one. */
  static prepareReplica(flavour: Flavour, flags: readonly string[] = []): Promise<MysqlServer> {
    const own = [`--server-id=${++MysqlServer.#lastId}`, '--read-only=ON', ...flags]
    return MysqlServer.start(flavour, [...replicationFlags[flavour], ...own])
  }

  /** It follows this server from its beginning on. */
  async startReplica(flags: readonly string[] = []): Promise<MysqlServer> {
    const replica = await MysqlServer.prepareReplica(this.flavour, flags)
    await replica.follow(this)
    return replica
  }

  /** To be copied, the other is stopped for a moment. A replica gets all there is from the beginning on. */
  async rebuild(primary: DatabaseServer, asReplica = true): Promise<void> {
    await this.stop()
    rmSync(this.#data, { recursive: true })
    if (asReplica) this.#copy(pristineFolder(this.flavour))
    else {
      await primary.stop()
      this.#copy(join(primary.folder, 'data'))
      await primary.start()
    }
    await this.start()
    if (asReplica) await this.follow(primary)
    else await this.run('SET GLOBAL read_only = OFF')
  }

  async follow({ port }: DatabaseServer): Promise<void> {
    await this.run(
      this.flavour === 'mariadb'
        ? `STOP SLAVE; CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${port},
             MASTER_USER = 'root', MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos; START SLAVE`
        : `STOP REPLICA; CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = ${port},
             SOURCE_USER = 'root', SOURCE_CONNECT_RETRY = 1, ${this.#follows()}; START REPLICA`,
    )
  }

  /** Where a replica of MySQL begins: without identifiers of transactions, at the first log of its source. */
  #follows(): string {
    return this.#flags.includes('--gtid-mode=OFF')
      ? `SOURCE_AUTO_POSITION = 0, SOURCE_LOG_FILE = 'binlog.000001', SOURCE_LOG_POS = 4`
      : 'SOURCE_AUTO_POSITION = 1'
  }

  async apply(does: boolean): Promise<void> {
    await this.run(`${does ? 'START' : 'STOP'} ${this.#replica} SQL_THREAD`)
  }

  async untilCaughtUp(primary: DatabaseServer): Promise<void> {
    const position = async () => {
      const name = this.flavour === 'mariadb' ? 'gtid_binlog_pos' : 'gtid_executed'
      return String((await primary.run(`SELECT @@global.${name}`))[0]?.[0])
    }
    const wait =
      this.flavour === 'mariadb'
        ? `SELECT master_gtid_wait('${await position()}', 10)`
        : `SELECT wait_for_executed_gtid_set('${await position()}', 10)`
    const [row] = await this.run(wait)
    if (row?.[0] !== 0) throw new Error('the replica does not catch up')
  }

  async promote(): Promise<void> {
    await this.run(`STOP ${this.#replica}; RESET ${this.#replica} ALL; SET GLOBAL read_only = OFF`)
  }

  /** What the statements about replication call it. */
  get #replica(): string {
    return this.flavour === 'mariadb' ? 'SLAVE' : 'REPLICA'
  }

  get #data(): string {
    return join(this.folder, 'data')
  }

  /** Makes its data folder of another one. */
  #copy(from: string): void {
    cpSync(from, this.#data, { recursive: true })
    // It makes a new identifier for itself.
    rmSync(join(this.#data, 'auto.cnf'), { force: true })
    giveAllAway(this.folder)
  }

  url(database = 'mysql', user = 'root', password = ''): string {
    const login = password === '' ? user : `${user}:${encodeURIComponent(password)}`
    return `${this.flavour}://${login}@127.0.0.1:${this.port}/${database}`
  }

  connect(database = 'mysql', user = 'root'): Promise<Client> {
    return connect(this.port, database, user)
  }

  protected command(): ServerCommand {
    const [program = '', ...rest] = serverCommand(this.flavour)
    const place = [`--datadir=${this.#data}`, `--port=${this.port}`]
    const files = [
      `--tmpdir=${this.folder}`,
      `--socket=${join(this.folder, 'socket')}`,
      `--pid-file=${join(this.folder, 'pid')}`,
    ]
    return {
      program,
      args: [...rest, ...quick, ...sizes[this.flavour], ...place, ...files, ...this.#flags],
      isReady: /ready for connections/,
    }
  }

  /** Stops it, and starts it with other flags. */
  async restart(flags: readonly string[]): Promise<void> {
    await this.stop()
    this.#flags = flags
    await this.start()
  }
}

/** The server of global set-up: its time zone is not UTC, and its statements are as short as lookups need. */
export function startShared(flavour: Flavour): Promise<MysqlServer> {
  return MysqlServer.start(flavour, [
    ...['--local-infile=ON', '--default-time-zone=+05:30', `--max-allowed-packet=${1024 * 1024}`],
    ...(flavour === 'mariadb' ? ['--skip-ssl', '--plugin-load-add=auth_ed25519'] : []),
  ])
}
