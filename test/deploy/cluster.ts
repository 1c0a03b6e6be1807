// PostgreSQL as compose.yaml runs it: a primary with the roles and the rules of deploy/, and a standby by its
// script. Both need Debian's programs: npm has neither psql nor pg_basebackup.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { root } from '../kit/documentation.ts'
import { asNobody, giveAway, makePristine, type Programs } from '../kit/postgres/programs.ts'
import { freePort, PostgresServer } from '../kit/postgres/server.ts'

const passwords = { lookup_owner: "o'wner", lookup_reader: 'reader', replicator: 'replication' }
type User = keyof typeof passwords | 'postgres'
const environment = {
  OWNER_PASSWORD: passwords.lookup_owner,
  READER_PASSWORD: passwords.lookup_reader,
  REPLICATION_PASSWORD: passwords.replicator,
}

const initdb = globSync('/usr/lib/postgresql/*/bin/initdb').at(-1)
export const debianBin = dirname(initdb ?? '/usr/lib/postgresql/bin/initdb')

/** Makes a data folder with Debian's programs. */
export function debianPrograms(): Programs {
  const home = mkdtempSync(join(tmpdir(), 'lookup-debian-'))
  giveAway(home)
  return makePristine(home, debianBin)
}

export interface Primary {
  readonly port: number
  /** Holds a copy of deploy/ that PostgreSQL's user can read, and the data folders. */
  readonly home: string
  /** Runs psql as the superuser, as in the container. */
  readonly psql: (...args: readonly string[]) => { readonly status: number | null; readonly stdout: string }
  /** Runs roles.sql, with its passwords or without the last one. */
  readonly makeRoles: (isComplete?: boolean) => number | null
  readonly remove: () => Promise<void>
}

/** Starts a primary with a database `lookup`, as the image does before it runs roles.sql. */
export async function startPrimary(programs: Programs): Promise<Primary> {
  const { home, pristine } = programs
  cpSync(join(root, 'deploy'), join(home, 'deploy'), { recursive: true })
  const settings = `hba_file = '${home}/deploy/pg_hba.conf'\nunix_socket_directories = '${home}'\n`
  const server = await PostgresServer.start(programs, pristine, settings)
  const run = (args: readonly string[], env: object = {}) => {
    const flags = ['-v', 'ON_ERROR_STOP=1', '-X', '-w', '-At', '-h', home, '-p', String(server.port)]
    const options = { ...asNobody, env: { ...asNobody.env, ...env }, encoding: 'utf8' } as const
    return spawnSync(join(debianBin, 'psql'), [...flags, '-U', 'postgres', ...args], options)
  }
  run(['-c', 'CREATE DATABASE lookup'])
  return {
    port: server.port,
    home,
    psql: (...args) => run(args),
    makeRoles: (isComplete = true) => {
      const { REPLICATION_PASSWORD, ...others } = environment
      const env = isComplete ? { ...others, REPLICATION_PASSWORD } : others
      return run(['-1', '-d', 'lookup', '-f', join(home, 'deploy/roles.sql')], env).status
    },
    remove: async () => {
      await server.stop()
      rmSync(home, { recursive: true })
    },
  }
}

export function urlOf(user: User, port: number, password?: string): string {
  const own = password ?? (user === 'postgres' ? '' : passwords[user])
  return `postgres://${user}:${encodeURIComponent(own)}@127.0.0.1:${port}/lookup`
}

/** Runs SQL over TCP. @returns the rows, or the SQLSTATE of an error */
export async function query(port: number, user: User, sql: string, password?: string) {
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

/** Runs standby.sh until it is ready. @returns its port, and how to stop it as its container is stopped */
export async function runStandby(primary: Primary, data: string) {
  const port = await freePort()
  const deploy = join(primary.home, 'deploy')
  const args = [join(deploy, 'standby.sh'), '-p', String(port), '-c', `hba_file=${deploy}/pg_hba.conf`]
  const env = {
    ...asNobody.env,
    PATH: `${debianBin}:${asNobody.env.PATH}`,
    PGDATA: data,
    PRIMARY: `host=127.0.0.1 port=${primary.port} user=replicator`,
    PGPASSWORD: passwords.replicator,
  }
  const child = spawn('sh', args, { ...asNobody, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit').finally(() => process.off('exit', kill))
  await new Promise<void>((resolve, reject) => {
    let log = ''
    child.stderr.on('data', (chunk) => {
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
