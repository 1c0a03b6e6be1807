// How a PostgreSQL server is reached: by its URL and files, as they are at the time.

import type pg from 'pg'
import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Access } from '../servers/engine.ts'
import { createLogin, followConnection, lookupLimits } from '../servers/login.ts'
import { checkRelations } from './check.ts'
import { connectionTo } from './connection.ts'
import { errors } from './errors.ts'
import { openPool } from './pool.ts'

export function reach(setting: DatabaseSetting, url: string, location: ServersLocation): Access {
  const { timeout } = location
  const limits = lookupLimits(timeout)
  const read = (now: string): pg.ClientConfig => connectionTo(now, limits)
  const connection = followConnection(setting, url, location, errors, read)
  const login = createLogin(connection)
  const { connectTimeout } = limits
  return {
    openPool: (max, patientFrom) => openPool(login, { max, connectTimeout }, patientFrom),
    check: async () => {
      await checkRelations(connection(), timeout)
      return []
    },
  }
}
