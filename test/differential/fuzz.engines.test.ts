import { startGatewayOnPostgres } from '../kit/postgres/gateway.ts'
import { compareSuite } from './compare.ts'

compareSuite(
  [
    {
      name: 'PostgreSQL',
      // On a busy machine no request is refused: there are connections for all clients, and time.
      settings: { DATABASE_CONNECTIONS: '16', DATABASE_TIMEOUT: '10000' },
      habits: { isLenient: false, showsUnknown: false, serviceName: 'Service' },
      start: async (settings, files, made) => ({
        ...(await startGatewayOnPostgres(settings, files)),
        rows: made,
      }),
    },
  ],
  [300, 6_000],
)
