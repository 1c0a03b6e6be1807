import { startGateway } from '../kit/gateway.ts'
import { importLiveSuite } from './import-live-suite.ts'

importLiveSuite(async (...data) => {
  const gateway = await startGateway(...data)
  return { ...gateway, database: { location: gateway.database } }
})
