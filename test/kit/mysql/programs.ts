// The servers of MariaDB, from the system's packages, and of MySQL, unpacked by `.ci/mysql`; and a data
// folder of each that was just made, to be copied.

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asNobody, keepFolder } from '../postgres/programs.ts'

export const flavours = ['mariadb', 'mysql'] as const
export type Flavour = (typeof flavours)[number]

/** What people call them. */
export const nameOf = { mariadb: 'MariaDB', mysql: 'MySQL' } as const satisfies Record<Flavour, string>

/** How to install each. */
const installs = { mariadb: 'apt-get install -y mariadb-server', mysql: '.ci/mysql' } as const

/**
 * The program and the flags that every server of a flavour is started with.
 * @throws with the command that installs it
 */
export function serverCommand(flavour: Flavour): readonly string[] {
  const home = process.env.MYSQL_HOME ?? '/var/tmp/lookup-mysql'
  const places = {
    mariadb: ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd'],
    mysql: [join(home, 'usr/sbin/mysqld')],
  }
  const program = places[flavour].find((file) => existsSync(file))
  if (program === undefined)
    throw new Error(`${nameOf[flavour]} is missing. Install it: ${installs[flavour]}`)
  if (flavour === 'mariadb') return [program, '--no-defaults']
  const libraries = [...globSync(`${home}/usr/lib/*-linux-gnu`), `${home}/usr/lib/mysql/private`]
  // Its release is another one than the system's: with the system's loader and libraries it would not run.
  const [loader = ''] = globSync([
    `${home}/usr/lib/*-linux-gnu/ld-linux-*.so.*`,
    `${home}/lib*/ld-linux-*.so.*`,
  ])
  return [
    ...[loader, '--library-path', libraries.join(':'), program, '--no-defaults', `--basedir=${home}/usr`],
    `--lc-messages-dir=${home}/usr/share/mysql`,
    `--plugin-dir=${home}/usr/lib/mysql/plugin`,
    `--character-sets-dir=${home}/usr/share/mysql/charsets`,
    ...['--mysqlx=OFF', '--secure-file-priv='],
  ]
}

/** Small files, which are soon copied. */
export const sizes = {
  mariadb: ['--innodb-log-file-size=4M'],
  mysql: ['--innodb-redo-log-capacity=8M'],
} as const

/**
 * A data folder to be copied. It takes seconds to make, and is kept for the runs that come after.
 * @param foldsNames whether it is for servers that keep the names of tables in lower case
 */
export function pristineFolder(flavour: Flavour, foldsNames = false): string {
  const name = `lookup-home-${flavour}-${versionOf(flavour)}${foldsNames ? '-folded' : ''}`
  return join(
    keepFolder(name, (home) => makePristine(flavour, home, foldsNames)),
    'data',
  )
}

function makePristine(flavour: Flavour, home: string, foldsNames: boolean): void {
  const names = foldsNames ? ['--lower-case-table-names=1'] : []
  const flags = [`--datadir=${join(home, 'data')}`, ...sizes[flavour], ...names]
  const users = join(home, 'users.sql')
  // MariaDB's root may come over TCP, too.
  writeFileSync(
    users,
    `CREATE USER root@127.0.0.1 IDENTIFIED BY ''; GRANT ALL ON *.* TO root@127.0.0.1 WITH GRANT OPTION;`,
  )
  const [program = '', ...rest] =
    flavour === 'mariadb'
      ? [
          ...['mariadb-install-db', '--no-defaults', '--auth-root-authentication-method=normal'],
          ...['--skip-name-resolve', '--skip-test-db'],
        ]
      : [...serverCommand('mysql'), ...['--initialize-insecure', '--disable-log-bin', `--init-file=${users}`]]
  const made = spawnSync(program, [...rest, ...flags], { ...asNobody, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`${program}: ${made.error?.message ?? made.stdout + made.stderr}`)
}

export function versionOf(flavour: Flavour): string {
  const [program = '', ...flags] = serverCommand(flavour)
  const { stdout } = spawnSync(program, [...flags, '--version'], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown'
}
