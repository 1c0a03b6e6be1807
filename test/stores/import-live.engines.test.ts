import { describe } from 'vitest'
import { engines } from '../kit/engines.ts'
import { startGatewayOn } from '../kit/server-gateway.ts'
import { importLiveSuite } from './import-live-suite.ts'

describe.for(engines)('over $name', (engine) => importLiveSuite(startGatewayOn(engine)))
