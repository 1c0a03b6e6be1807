// The same tests of the commands, over PostgreSQL.

import { useDatabasesOfPostgres } from '../../support/workplace.ts'

useDatabasesOfPostgres()
await import('./import-invalid.test.ts')
await import('./skip-invalid.test.ts')
await import('./round-trip.test.ts')
