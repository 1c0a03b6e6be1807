// What the errors of MySQL and MariaDB mean for a lookup, and for the operator who has to fix them.

import { createErrorKinds } from '../servers/errors.ts'

/** The number of a server's error; `null` where it is not the server that complains. */
export function errorNumber(error: unknown): string | null {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlState' in error)) return null
  return typeof error.errno === 'number' && typeof error.sqlState === 'string' ? String(error.errno) : null
}

/** Of a server that was built without Galera, which knows none of its variables. */
export const UNKNOWN_VARIABLE = '1193'

/** The server and the database of a URL, without what may be secret. */
export function addressOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const socket = searchParams.get('socket')
  return `${socket ?? `${hostname || 'localhost'}:${port || DEFAULT_PORT}`}${pathname}`
}

/** Whether the error is one of these numbers. */
export const anyOf = (...numbers: readonly number[]) => new RegExp(`^(?:${numbers.join('|')})$`)

/** A text that the character set of a column lacks: MariaDB's, of one, two or more values, and MySQL's. */
const untranslatable = [1267, 1270, 1271, 3854]

const DEFAULT_PORT = 3306

const slow =
  'Is a table locked (SHOW PROCESSLIST), or the server overloaded? If it is far away, raise DATABASE_TIMEOUT.'

export const errors = createErrorKinds({
  codeOf: errorNumber,
  addressOf,
  // Out of range, not unique where a view takes it for that, no JSON, or as below.
  aboutData: anyOf(1242, 1690, 3141, ...untranslatable),
  untranslatable: anyOf(...untranslatable),
  tooLong: anyOf(1969, 3024),
  lockedOut: anyOf(1205),
  cancelled: anyOf(1317),
  unsupported: anyOf(1064, 1142, 1193, 1227, 1235, 1305),
  loginRefused: anyOf(1045, 1698, 1862, 3118, 4151),
  serverFull: anyOf(1040, 1203, 1226),
  unready: anyOf(1047),
  connectionLost: {
    code: anyOf(1053, 1077, 1080, 1152, 1158, 1159, 1160, 1161, 1927, 4031),
    words: /ECONNRESET|EPIPE|Connection lost|in closed state/,
  },
  passing: anyOf(
    ...[1040, 1203, 1226, 1129, 1135, 1021, 1037, 1041, 1047],
    ...[1053, 1077, 1080, 1152, 1158, 1159, 1160, 1161, 1317, 1927, 3168, 3169, 4031],
  ),
  connectTimeout: /^connect ETIMEDOUT$/,
  inOtherWords: [
    [/HANDSHAKE_NO_SSL|does not support secure connection/, 'the server does not support TLS'],
    [/in closed state/, 'the server closed it'],
    [/LOCAL INFILE command server wants/, 'the server asked for a file of this machine, and got nothing'],
    [/mysql_clear_password/, 'the server asks for the password in clear text, and did not get it'],
    [/unknown plugin (\S+)/, 'the server asks for a way to log in that is not supported'],
  ],
  hints: [
    [
      /^(?:1045|1698|4151)$/,
      'Check the user, the password, the hosts that the user may come from, and whether TLS is required (ssl-mode).',
    ],
    [/^(?:1862|3118)$/, 'Set a new password, or unlock the user, there.'],
    [/^1044$/, 'Grant the user SELECT on users and apps in that database, and check its name.'],
    [/^1049$/, 'Make the database first (CREATE DATABASE), or check its name.'],
    [/^1046$/, 'Name the database in the URL: mysql://USER:PASSWORD@HOST/NAME.'],
    [/^3159$/, 'The server requires TLS: add ssl-mode to the URL.'],
    [/^1130$/, 'Allow the user to come from the host of the gateway.'],
    [/^1129$/, 'Run FLUSH HOSTS there.'],
    [
      /^1227$/,
      'Grant the user REPLICATION CLIENT (SLAVE MONITOR in MariaDB), to know how far a replica is behind.',
    ],
    [
      /(?:INSERT|DELETE|CREATE) command denied/,
      'An import needs SELECT and INSERT on the table, DELETE for --replace, and CREATE to make it.',
    ],
    [/^1146$/, '"lookup migrate" makes missing tables; the name of the database may be wrong.'],
    [/^(?:1142|1143)$/, 'Grant the user SELECT on users and apps.'],
    [
      /^(?:1356|1449)$/,
      'Check that what the view reads exists, and that its definer exists and may read it (SHOW CREATE VIEW).',
    ],
    [/^(?:1040|1203|1226)$/, 'Raise max_connections there, or lower DATABASE_CONNECTIONS here.'],
    [/--(?:super-)?read-only option|read-only mode|read only \(/, 'Name the primary in DATABASE_URL.'],
    [/^1213$/, 'Another program wrote the same rows: try again.'],
    [/^1451$/, 'Other tables refer to these rows: drop their foreign keys, or import without --replace.'],
    [
      /^(?:1021|1114)$|No space left|error 28\b|Can't change size of file/,
      'Free space on the disk of the server.',
    ],
    [/writeset size exceeded|wsrep_max_ws_rows/, 'Set wsrep_trx_fragment_size there: it is sent in parts.'],
    [/^1153$/, 'Raise max_allowed_packet there: lookups need 1 MiB.'],
    [/^1206$/, 'Raise innodb_buffer_pool_size there.'],
    [/^1205$/, slow],
    [
      /has no quorum/,
      'Check that most nodes run, and reach each other. If the others are lost for good, run' +
        " SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES' on one that is left." +
        ' Until then, DATABASE_DIRTY_READS=on answers from old data.',
    ],
    [
      /behind the primary/,
      'Has replication stopped there (SHOW REPLICA STATUS)? It is read from once it has caught up.',
    ],
    [
      /behind the other nodes/,
      'Does a lock keep changes waiting there (SHOW PROCESSLIST)? It is read from once it has caught up.',
    ],
    [
      /not in the cluster/,
      'Start it as a node of theirs (wsrep_on = ON, wsrep_cluster_address), or take it out of DATABASE_URL.',
    ],
    [/has left its cluster/, 'Look into its log for the reason, then restart it.'],
    [/not synced|is catching up/, 'It is read from once it is synced. If that lasts, look into its log.'],
    [/is a donor/, 'It is read from once it is synced: wait, or run SET GLOBAL wsrep_desync = OFF there.'],
    [/refuses all queries/, 'Run SET GLOBAL wsrep_reject_queries = NONE there to have it read from.'],
    [
      /^1047$/,
      "It has no quorum, is not synced, or refuses all queries: look at SHOW STATUS LIKE 'wsrep%' there.",
    ],
    [/^(?:1969|3024)$/, slow],
    [
      /certificate (?:has expired|is not yet valid)/,
      'Renew the certificate of the server; check the clocks of both machines.',
    ],
    [/certificate/, 'Name the authority by ssl-ca=FILE, or encrypt without checking by ssl-mode=REQUIRED.'],
    [/does not support TLS/, 'Leave out ssl-mode, or switch TLS on there.'],
    [
      /a way to log in|in clear text/,
      'Use caching_sha2_password, mysql_native_password or ed25519 for the user.',
    ],
    [
      /out of order|several results|without a result/,
      'Check what is between the gateway and the server: a proxy may rewrite statements, or mix up connections.',
    ],
    [
      /^(?:users|apps): /,
      'Is the table locked (SHOW PROCESSLIST)? ALTER TABLE and LOCK TABLES keep readers waiting.',
    ],
  ],
  slow,
})

export const { isUnsupported } = errors
