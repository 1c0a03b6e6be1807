// The servers of MariaDB, from the system's packages, and of MySQL, unpacked by `.ci/mysql`; and a data folder of
// each that was just made, to be copied.

import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asNobody, giveAway } from '../postgres/programs.ts'

export const flavours = ['mariadb', 'mysql'] as const
export type Flavour = (typeof flavours)[number]

/** What people call them. */
export const nameOf = { mariadb: 'MariaDB', mysql: 'MySQL' } as const satisfies Record<Flavour, string>

/** How to get each. */
export const installs = { mariadb: 'apt-get install -y mariadb-server', mysql: '.ci/mysql' } as const

/** The program and the flags that every server of a flavour is started with. */
export function serverCommand(flavour: Flavour): readonly string[] | null {
  if (flavour === 'mariadb') {
    const program = ['/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd'].find((file) => existsSync(file))
    return program === undefined ? null : [program, '--no-defaults']
  }
  const home = process.env.MYSQL_HOME ?? '/var/tmp/lookup-mysql'
  const program = join(home, 'usr/sbin/mysqld')
  if (!existsSync(program)) return null
  const libraries = globSync(`${home}/usr/lib/*-linux-gnu`)
  // Its release is another one than the system's: with the system's loader and libraries it would not run.
  const [loader = ''] = globSync([
    `${home}/usr/lib/*-linux-gnu/ld-linux-*.so.*`,
    `${home}/lib*/ld-linux-*.so.*`,
  ])
  const path = [...libraries, `${home}/usr/lib/mysql/private`].join(':')
  const folders = [
    `--basedir=${home}/usr`,
    `--lc-messages-dir=${home}/usr/share/mysql`,
    `--plugin-dir=${home}/usr/lib/mysql/plugin`,
    `--character-sets-dir=${home}/usr/share/mysql/charsets`,
  ]
  return [
    loader,
    '--library-path',
    path,
    program,
    '--no-defaults',
    ...folders,
    '--mysqlx=OFF',
    '--secure-file-priv=',
  ]
}

/** Whether there is such a server; as in `hasProgram`, a missing one is an error where CI is set. */
export function hasServer(flavour: Flavour): boolean {
  if (serverCommand(flavour) !== null) return true
  const missing = `${nameOf[flavour]} is missing: ${installs[flavour]}`
  if (process.env.CI) throw new Error(missing)
  process.stderr.write(`Skipped: tests that need ${nameOf[flavour]}. To run them: ${installs[flavour]}\n`)
  return false
}

/** Small files, which are soon copied. */
export const sizes = {
  mariadb: ['--innodb-log-file-size=4M'],
  mysql: ['--innodb-redo-log-capacity=8M'],
} as const

/**
 * A data folder to be copied. It takes seconds to make, and is kept for the tests that come after.
 * @param foldsNames whether it is for servers that keep the names of tables in lower case
 */
export function pristineFolder(flavour: Flavour, foldsNames = false): string {
  const kind = foldsNames ? '-folded' : ''
  const folder = join(tmpdir(), `lookup-${flavour}-${versionOf(flavour)}${kind}`)
  if (!existsSync(folder)) makePristine(flavour, folder, foldsNames)
  return folder
}

function makePristine(flavour: Flavour, folder: string, foldsNames: boolean): void {
  const home = mkdtempSync(join(tmpdir(), 'lookup-mysql-'))
  giveAway(home)
  const data = join(home, 'data')
  const names = foldsNames ? ['--lower-case-table-names=1'] : []
  const flags = [`--datadir=${data}`, ...sizes[flavour], ...names]
  const users = join(home, 'users.sql')
  // MariaDB's root may come over TCP, too.
  writeFileSync(
    users,
    `CREATE USER root@127.0.0.1 IDENTIFIED BY ''; GRANT ALL ON *.* TO root@127.0.0.1 WITH GRANT OPTION;`,
  )
  const [program = '', ...rest] =
    flavour === 'mariadb'
      ? [
          'mariadb-install-db',
          ...['--no-defaults', '--auth-root-authentication-method=normal', '--skip-name-resolve'],
          '--skip-test-db',
        ]
      : [
          ...(serverCommand('mysql') ?? []),
          '--initialize-insecure',
          '--disable-log-bin',
          `--init-file=${users}`,
        ]
  const made = spawnSync(program, [...rest, ...flags], { ...asNobody, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`${program}: ${made.error?.message ?? made.stdout + made.stderr}`)
  try {
    renameSync(data, folder)
  } catch (error) {
    // Another test was faster.
    if (!existsSync(folder)) throw error
  }
  rmSync(home, { recursive: true, force: true })
}

export function versionOf(flavour: Flavour): string {
  const [program = '', ...flags] = serverCommand(flavour) ?? []
  const { stdout } = spawnSync(program, [...flags, '--version'], { encoding: 'utf8' })
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? 'unknown'
}
