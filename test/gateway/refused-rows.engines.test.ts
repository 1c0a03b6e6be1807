import { describe } from 'vitest'
import { engines } from '../kit/engines.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { category, rank, refusedRowsSuite } from './refused-rows-suite.ts'

/** The columns of tables that the gateway has made are too narrow. */
const widen = {
  postgres: `ALTER TABLE users ALTER COLUMN rank TYPE bigint; ALTER TABLE apps ALTER COLUMN category TYPE bigint`,
  mysql: 'ALTER TABLE users MODIFY `rank` bigint; ALTER TABLE apps MODIFY category bigint',
} as const

describe.each(engines)('over $name', (engine) =>
  refusedRowsSuite(async () => {
    const gateway = await startGatewayOn(engine)()
    const rankColumn = engine.kind === 'mysql' ? '`rank`' : 'rank'
    await gateway.database.run(widen[engine.kind])
    await gateway.database.run(`UPDATE users SET ${rankColumn} = ${rank} WHERE id = 2`)
    await gateway.database.run(`UPDATE apps SET category = ${category} WHERE id = 2`)
    return gateway
  }),
)
