import { numberRows, numberSuite } from './support/number-suite.ts'

numberSuite(() => numberRows)
