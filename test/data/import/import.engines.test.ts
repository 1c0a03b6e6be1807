import { describe } from 'vitest'
import { engines, useDatabases } from '../../kit/engines.ts'
import { makeWorkplace } from '../../kit/workplace.ts'
import { importSuite } from './import-suite.ts'

describe.for(engines)('over $name', (engine) => {
  const makeDatabase = useDatabases(engine)
  importSuite(() => makeWorkplace(makeDatabase))
})
