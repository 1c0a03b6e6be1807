import type { Engine } from '../servers/engine.ts'
import { reach } from './access.ts'
import { errors } from './errors.ts'
import { compare } from './history.ts'
import { questions } from './statements.ts'
import { createPositionReader } from './wal-position.ts'

/** PostgreSQL, and what speaks its protocol. The relations may be tables or views (schema/postgres.sql). */
export const postgres: Engine = { errors, questions, reach, compare, createPlaceReader: createPositionReader }
