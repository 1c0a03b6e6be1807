import { adviceSuite } from './suite.ts'

adviceSuite(1)
