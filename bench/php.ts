// nginx and PHP-FPM, with files of settings that are made for each start.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contender, Place } from './contenders.ts'
import type { StoreKind } from './workloads.ts'

/** The extension that each kind of database needs, and its package. */
const drivers: Readonly<Record<StoreKind, readonly [extension: string, packaged: string]>> = {
  sqlite: ['pdo_sqlite', 'php-sqlite3'],
  postgres: ['pdo_pgsql', 'php-pgsql'],
  mariadb: ['mysqli', 'php-mysql'],
  mysql: ['mysqli', 'php-mysql'],
}

const sources = fileURLToPath(new URL('contenders/php', import.meta.url))
const asRoot = process.getuid?.() === 0

export const php: Contender = {
  title: 'nginx + PHP-FPM',
  missing: (store) => {
    const [driver, packaged] = drivers[store]
    return existsSync('/usr/sbin/nginx') && extensions().includes(driver)
      ? null
      : `apt-get install nginx php-fpm php-xml ${packaged}`
  },
  commands: (place) => {
    const { folder } = place
    const fpm = configure('php-fpm.conf', place, 'user = root\ngroup = root')
    const nginx = configure('nginx.conf', place, 'user root;')
    return [
      { file: phpFpm() ?? '', args: ['--nodaemonize', '--fpm-config', fpm, ...(asRoot ? ['-R'] : [])] },
      { file: '/usr/sbin/nginx', args: ['-p', folder, '-e', 'stderr', '-c', nginx] },
    ]
  },
}

/** Puts the values of a place into a file of settings. @returns its path */
function configure(name: string, { folder, port, database }: Place, userOfRoot: string): string {
  const user = asRoot ? userOfRoot : ''
  const values: Readonly<Record<string, string | number>> = {
    ...{ folder, port, source: sources, user },
    dsn: dsnOf(database),
  }
  const path = join(folder, name)
  mkdirSync(folder, { recursive: true })
  const text = readFileSync(join(sources, name), 'utf8')
  writeFileSync(
    path,
    text.replace(/@(\w+)@/g, (_, key) => String(values[key])),
  )
  return path
}

/** A database as PDO is told: for SQLite a URL says the same. mysqli is told the parts of the URL. */
function dsnOf(database: string): string {
  if (!database.startsWith('postgres:')) return database
  const { hostname, port, pathname, username } = new URL(database)
  return `pgsql:host=${hostname};port=${port};dbname=${pathname.slice(1)};user=${username}`
}

/** Debian puts the version into the name. */
function phpFpm(): string | null {
  const found = readdirSync('/usr/sbin').filter((name) => /^php-fpm[\d.]*$/.test(name))
  return found.length === 0 ? null : `/usr/sbin/${found.toSorted().at(-1)}`
}

function extensions(): readonly string[] {
  const program = phpFpm()
  return program === null ? [] : execFileSync(program, ['-m'], { encoding: 'utf8' }).split('\n')
}
