import { makeTables } from '../../src/stores/transfer.ts'
import { makePostgresStore } from './postgres-support.ts'
import { storeSuite } from './store-suite.ts'

storeSuite('PostgreSQL tables', (observe) =>
  makePostgresStore(
    { create: ({ location }) => makeTables(location), breakDown: 'DROP TABLE users; DROP TABLE apps' },
    observe,
  ),
)
