// The errors of MySQL and MariaDB, by what they mean, and what the operator can do about each.

import { createErrorKinds } from '../servers/errors.ts'

/** The number of an error of the server; `null` for any other error. */
export function errorNumber(error: unknown): string | null {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlState' in error)) return null
  return typeof error.errno === 'number' && typeof error.sqlState === 'string' ? String(error.errno) : null
}

/** From a server that was built without Galera, which has none of its variables. */
export const UNKNOWN_VARIABLE = '1193'

export const DEFAULT_PORT = 3306

/** The server and the database of a URL, without what may be secret. */
function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const socket = searchParams.get('socket')
  return `${socket ?? `${hostname || 'localhost'}:${port || DEFAULT_PORT}`}${pathname}`
}

/** Matches each of these numbers. */
const anyOf = (...numbers: readonly number[]) => new RegExp(`^(?:${numbers.join('|')})$`)

/** The column cannot hold the text: MariaDB for one, two or more values, and MySQL. */
const untranslatable = [1267, 1270, 1271, 3854]
const refused = [1045, 1698, 1862, 3118, 4151]
const full = [1040, 1203, 1226]
const lost = [1053, 1077, 1080, 1152, 1158, 1159, 1160, 1161, 1927, 4031]

export const errors = createErrorKinds({
  codeOf: errorNumber,
  addressOf,
  codes: {
    // A number out of range, two rows of a subquery, invalid JSON, or a text that the column cannot hold.
    aboutData: anyOf(1242, 1690, 3141, ...untranslatable),
    untranslatable: anyOf(...untranslatable),
    tooLong: anyOf(1969, 3024),
    lockedOut: anyOf(1205),
    loginRefused: anyOf(...refused),
    serverFull: anyOf(...full),
    connectionLost: anyOf(...lost),
    passing: anyOf(...full, ...lost, 1129, 1135, 1021, 1037, 1041, 1047, 1317, 3168, 3169),
  },
  lost: /ECONNRESET|EPIPE|Connection lost|in closed state/,
  connectTimeout: /^connect ETIMEDOUT$/,
  clearer: [
    [/HANDSHAKE_NO_SSL|does not support secure connection/, 'the server does not support TLS'],
    [/mysql_clear_password/, 'the server requires the password in clear text, which is not supported'],
    [/unknown plugin (\S+)/, 'the server requires an authentication plugin that is not supported'],
  ],
  hints: {
    [anyOf(...refused).source]:
      'Check the user, the password, the hosts that the user may connect from, and whether TLS is required (ssl-mode).',
    '^1046$': 'Name the database in the URL: mysql://USER:PASSWORD@HOST/NAME.',
    '^1049$': 'Create the database (CREATE DATABASE), or correct its name.',
    '^1146$': 'Run "lookup migrate" to create missing tables, or correct the name of the database.',
    '^1153$': 'Raise max_allowed_packet on the server: lookups need 1 MiB.',
    '^1227$':
      'Grant the user REPLICATION CLIENT (SLAVE MONITOR in MariaDB). Without it, the lag of the replica is unknown.',
    '(?:INSERT|DELETE|CREATE) command denied':
      'To import, grant the user SELECT, INSERT and CREATE TEMPORARY TABLES, DELETE for --replace, and CREATE for missing tables.',
    '^(?:1044|1142|1143)$': 'Grant the user SELECT on users and apps.',
    '^(?:1356|1449)$':
      'Check that what the view reads exists, and that its definer exists and may read it (SHOW CREATE VIEW).',
    '^(?:users|apps)(?: has no column |[.][a-z_]+ is of type )':
      'Correct the view or table. If the views are in another database, name that one in the URL.',
    '--(?:super-)?read-only option|read-only mode|read only [(]': 'Name the primary in DATABASE_URL.',
    "^(?:1021|1114)$|No space left|error 28(?!\\d)|Can't change size of file":
      'Free disk space on the server.',
    'writeset size|wsrep_max_ws_rows': 'Set wsrep_trx_fragment_size on the server, such as to 64 MiB.',
    'has no quorum':
      "Check that most nodes are running and can reach each other. If the others are lost for good, run SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES' on one remaining node.",
    '^1047$|wsrep_':
      "Run SHOW STATUS LIKE 'wsrep%' on the node. It is read again when it is synced, and has a quorum.",
    'behind the (?:primary|other nodes)':
      'Check whether replication has stopped (SHOW REPLICA STATUS), or a lock holds up changes (SHOW PROCESSLIST). The server is read again when it has caught up.',
    'not in the cluster': 'Start it as a node of their cluster, or remove its URL.',
    'certificate (?:has expired|is not yet valid)': 'Renew the certificate of the server.',
    certificate:
      'Set ssl-ca=FILE to the certificate authority, or ssl-mode=REQUIRED to encrypt without verification.',
    'does not support TLS': 'Remove ssl-mode, or enable TLS on the server.',
    '^(?:users|apps): ':
      'Check whether the table is locked (SHOW PROCESSLIST). ALTER TABLE and LOCK TABLES block readers.',
  },
  slow: 'Check for a locked table (SHOW PROCESSLIST) and for overload. If the server is far away, raise DATABASE_TIMEOUT.',
})
