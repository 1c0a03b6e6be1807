import type pg from 'pg'
import type { Login } from '../servers/login.ts'
import { openPool as openPoolOf, type Pool } from '../servers/pool.ts'
import type { SessionLimits } from '../servers/sessions.ts'
import { errors } from './errors.ts'
import { connect } from './session.ts'

/** Queries to one PostgreSQL server. */
export function openPool<Config extends pg.ClientConfig>(
  login: Login<Config>,
  limits: SessionLimits,
  patientFrom?: 'asked' | 'connected',
): Pool {
  return openPoolOf(connect, errors, login, limits, patientFrom)
}
