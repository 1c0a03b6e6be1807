// Flags of servers whose settings are as odd as can be. Their names are folded: see `pristineFolder`.

import type { Flavour } from '../../kit/mysql/programs.ts'

const common = [
  '--character-set-server=latin1',
  '--collation-server=latin1_swedish_ci',
  '--default-time-zone=-03:00',
  '--lower-case-table-names=1',
  '--autocommit=0',
  '--max-join-size=2',
]
export const oddFlags = {
  mariadb: [
    ...common,
    '--skip-character-set-client-handshake',
    '--sql-mode=ORACLE,ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,EMPTY_STRING_IS_NULL',
    '--in-predicate-conversion-threshold=2',
  ],
  mysql: [
    ...common,
    '--sql-mode=ANSI,TRADITIONAL,NO_BACKSLASH_ESCAPES,PAD_CHAR_TO_FULL_LENGTH,HIGH_NOT_PRECEDENCE',
    '--range-optimizer-max-mem-size=1000',
  ],
} as const satisfies Record<Flavour, readonly string[]>
