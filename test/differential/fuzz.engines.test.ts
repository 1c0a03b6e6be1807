import { postgresEngine } from '../kit/postgres/engine.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { compareSuite } from './compare.ts'

compareSuite(
  [
    {
      name: 'PostgreSQL',
      // On a busy machine no request is refused: there are connections for all clients, and time.
      settings: { DATABASE_CONNECTIONS: '16', DATABASE_TIMEOUT: '10000' },
      start: async (settings, files, made) => ({
        ...(await startGatewayOn(postgresEngine)(settings, files)),
        rows: made,
      }),
    },
  ],
  [300, 6_000],
)
