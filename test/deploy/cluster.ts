// PostgreSQL as compose.yaml runs it: a primary with the roles and the rules of deploy/, and a standby by its
// script. Debian's programs are needed for both, since npm's have neither psql nor pg_basebackup.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { asNobody, giveAway, makePristine, type Programs } from '../kit/postgres/programs.ts'
import { freePort, PostgresServer } from '../kit/postgres/server.ts'

export const passwords = {
  OWNER_PASSWORD: "o'wner",
  READER_PASSWORD: 'reader',
  REPLICATION_PASSWORD: 'replication',
}
type Passwords = Partial<typeof passwords>
const passwordOf: Readonly<Record<string, string>> = {
  lookup_owner: passwords.OWNER_PASSWORD,
  lookup_reader: passwords.READER_PASSWORD,
  replicator: passwords.REPLICATION_PASSWORD,
}

export const debianBin = dirname(
  globSync('/usr/lib/postgresql/*/bin/initdb').at(-1) ?? '/usr/lib/postgresql/bin/initdb',
)

/** Makes a data folder with Debian's programs. */
export function debianPrograms(): Programs {
  const home = mkdtempSync(join(tmpdir(), 'lookup-debian-'))
  giveAway(home)
  return makePristine(home, debianBin)
}

export interface Primary {
  readonly server: PostgresServer
  /** Holds a copy of deploy/ that PostgreSQL's user can read, and the data folders. */
  readonly home: string
  /** Runs psql as the superuser, as one does within the container. */
  readonly psql: (
    args: readonly string[],
    env?: Passwords,
  ) => { readonly status: number | null; readonly stdout: string }
  readonly remove: () => Promise<void>
}

/** Starts a primary with a database `lookup`, as the image does before it runs roles.sql. */
export async function startPrimary(programs: Programs): Promise<Primary> {
  const { home, pristine } = programs
  cpSync(fileURLToPath(new URL('../../deploy', import.meta.url)), join(home, 'deploy'), { recursive: true })
  const settings = `hba_file = '${home}/deploy/pg_hba.conf'\nunix_socket_directories = '${home}'\n`
  const server = await PostgresServer.start(programs, pristine, settings)
  const psql: Primary['psql'] = (args, env = {}) => {
    const flags = [
      '-v',
      'ON_ERROR_STOP=1',
      '-X',
      '-w',
      '-At',
      '-h',
      home,
      '-p',
      String(server.port),
      '-U',
      'postgres',
    ]
    const environment = { ...asNobody.env, ...env }
    return spawnSync(join(debianBin, 'psql'), [...flags, ...args], {
      ...asNobody,
      env: environment,
      encoding: 'utf8',
    })
  }
  psql(['-c', 'CREATE DATABASE lookup'])
  const remove = async () => {
    await server.stop()
    rmSync(home, { recursive: true })
  }
  return { server, home, psql, remove }
}

export function urlOf(user: string, port: number, password = passwordOf[user] ?? ''): string {
  return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/lookup`
}

/** Asks over TCP. @returns the rows, or the SQLSTATE of what is wrong */
export async function query(port: number, user: string, sql: string, password?: string) {
  const client = new pg.Client(urlOf(user, port, password))
  try {
    await client.connect()
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code
    throw error
  } finally {
    await client.end()
  }
}

export interface Standby {
  readonly port: number
  /** Stops it as its container is stopped. */
  readonly stop: () => Promise<void>
}

/** Runs standby.sh until it answers. */
export async function runStandby({ server, home }: Primary, data: string): Promise<Standby> {
  const port = await freePort()
  const args = [
    join(home, 'deploy/standby.sh'),
    '-p',
    String(port),
    '-c',
    `hba_file=${home}/deploy/pg_hba.conf`,
  ]
  const env = {
    ...asNobody.env,
    PATH: `${debianBin}:${asNobody.env.PATH}`,
    PGDATA: data,
    PRIMARY: `host=127.0.0.1 port=${server.port} user=replicator`,
    PGPASSWORD: passwords.REPLICATION_PASSWORD,
  }
  const child: ChildProcess = spawn('sh', args, { ...asNobody, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').finally(() => process.off('exit', kill))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk) => {
      log += chunk
      if (/ready to accept read-only connections/.test(log)) resolve()
    })
    ended.then(() => reject(new Error(`the standby has ended: ${log}`)))
  })
  const stop = async () => {
    child.kill('SIGINT')
    await ended
  }
  return { port, stop }
}
