// MariaDB and MySQL for the benchmark.

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Flavour, installs, serverCommand, versionOf } from '../test/kit/mysql/programs.ts'
import { MysqlServer } from '../test/kit/mysql/server.ts'
import type { Client, DatabaseServer, Engine } from './database-server.ts'

// All data fits into memory, and an import into the log, so that no checkpoint falls into a measurement.
const common = ['--innodb-buffer-pool-size=512M', '--character-set-server=utf8mb4', '--local-infile=ON']
const settings = {
  mariadb: [...common, '--innodb-log-file-size=512M'],
  mysql: [...common, '--innodb-redo-log-capacity=512M', '--sync-binlog=0'],
} as const satisfies Record<Flavour, readonly string[]>

async function start(flavour: Flavour, data?: string): Promise<DatabaseServer> {
  const server = await MysqlServer.start(flavour, settings[flavour], data)
  // It comes after the server's own listener, which ends it.
  process.once('exit', () => rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 }))
  return {
    url: (database) => server.url(database),
    run: (sql, database) => server.run(sql, database),
    pid: () => Number(readFileSync(join(server.folder, 'pid'), 'utf8')),
    data: join(server.folder, 'data'),
    // There is no statement that waits for it.
    settle: () => server.restart(settings[flavour]),
    stop: () => server.stop(),
    remove: () => server.remove(),
  }
}

const client: Client = {
  program: 'mariadb',
  install: 'apt-get install mariadb-client',
  load: (url, csv) => {
    const { hostname, port, username, pathname } = new URL(url)
    const place = [`--host=${hostname}`, `--port=${port}`, `--user=${username}`, pathname.slice(1)]
    const load = `LOAD DATA LOCAL INFILE '${csv}' INTO TABLE users CHARACTER SET utf8mb4
      FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '' LINES TERMINATED BY '\\n'`
    return { file: 'mariadb', args: ['--no-defaults', '--local-infile=1', ...place, '-e', load] }
  },
}

const engineOf = (flavour: Flavour): Engine => ({
  kind: flavour,
  missing: () => (serverCommand(flavour) === null ? installs[flavour] : null),
  version: () => versionOf(flavour),
  start: (data) => start(flavour, data),
  schema: new URL('../schema/mysql.sql', import.meta.url),
  tidy: ['ANALYZE TABLE users', 'SET GLOBAL innodb_fast_shutdown = 0'],
  warm: 'SELECT sum(length(display_name)) FROM users FORCE INDEX (PRIMARY)',
  client,
})

export const mariadb = engineOf('mariadb')
export const mysql = engineOf('mysql')
