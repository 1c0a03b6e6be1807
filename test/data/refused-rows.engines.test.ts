import { describe } from 'vitest'
import { engines } from '../kit/engines.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { category, longLink, longName, rank, refusedRowsSuite } from './refused-rows-suite.ts'

/** The columns of tables that the gateway has made are too narrow. */
const widen = {
  postgres: `ALTER TABLE users ALTER COLUMN rank TYPE bigint, DROP CONSTRAINT users_display_name_check;
    ALTER TABLE apps ALTER COLUMN category TYPE bigint, DROP CONSTRAINT apps_changelog_link_check`,
  mysql: `ALTER TABLE users MODIFY \`rank\` bigint, MODIFY display_name mediumtext;
    ALTER TABLE apps MODIFY category bigint, MODIFY changelog_link mediumtext`,
} as const

describe.each(engines)('over $name', (engine) =>
  refusedRowsSuite(async () => {
    const gateway = await startGatewayOn(engine)()
    const rankColumn = engine.kind === 'mysql' ? '`rank`' : 'rank'
    await gateway.database.run(widen[engine.kind])
    await gateway.database.run(`UPDATE users SET ${rankColumn} = ${rank} WHERE id = 2`)
    await gateway.database.run(`UPDATE apps SET category = ${category} WHERE id = 2`)
    await gateway.database.run(`UPDATE users SET display_name = '${longName}' WHERE id = 4`)
    await gateway.database.run(`UPDATE apps SET changelog_link = '${longLink}' WHERE id = 3`)
    return gateway
  }),
)
