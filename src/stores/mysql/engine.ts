import type { Engine } from '../servers/engine.ts'
import { reach } from './access.ts'
import { errors } from './errors.ts'
import { compare, createPlaceReader } from './place.ts'
import { questions } from './statements.ts'

/** MySQL and MariaDB. The relations may be tables or views (schema/mysql.sql). */
export const mysql: Engine = { errors, questions, reach, compare, createPlaceReader }
