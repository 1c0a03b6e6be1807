// How a server is reached: by its URL and files, as they are at the time.

import type { DatabaseSetting, ServersLocation } from '../../config/database.ts'
import type { Access } from '../servers/engine.ts'
import { createLogin, followConnection, lookupLimits } from '../servers/login.ts'
import { openPool } from '../servers/pool.ts'
import { checkServer } from './check.ts'
import { connectionTo } from './connection.ts'
import { errors } from './errors.ts'
import { connect } from './session.ts'

export function reach(setting: DatabaseSetting, url: string, location: ServersLocation): Access {
  const { timeout } = location
  const dirtyReads = location.kind === 'mysql' && location.dirtyReads
  const limits = { ...lookupLimits(timeout), dirtyReads }
  const connection = followConnection(setting, url, location, errors, (now) => connectionTo(now, limits))
  const login = createLogin(connection)
  const { connectTimeout } = limits
  return {
    openPool: (max, patientFrom) => openPool(connect, errors, login, { max, connectTimeout }, patientFrom),
    check: () => checkServer(connection(), timeout),
  }
}
