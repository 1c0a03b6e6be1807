import { describe } from 'vitest'
import { engines } from '../kit/engines.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { importLiveSuite } from './import-live-suite.ts'

describe.for(engines)('over $name', (engine) =>
  importLiveSuite(async (...data) => {
    const gateway = await startGatewayOn(engine)(...data)
    return { ...gateway, location: gateway.database.location, databaseUrl: gateway.database.url }
  }),
)
