// The database servers that are measured.

import type { Engine } from './database-server.ts'
import { mariadb, mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import type { ServerKind } from './workloads.ts'

export const engines: Readonly<Record<ServerKind, Engine>> = { postgres, mariadb, mysql }
