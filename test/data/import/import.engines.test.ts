import { describe } from 'vitest'
import { engines } from '../../kit/engines.ts'
import { makeWorkplace } from '../../kit/workplace.ts'
import { importSuite } from './import-suite.ts'

describe.for(engines)('over $name', (engine) => {
  const makeDatabase = async () => (await engine.shared()).makeDatabase()
  importSuite(() => makeWorkplace(makeDatabase))
})
