import { numberSuite } from './support/number-suite.ts'
import { numberRows } from './support/numbers.ts'

numberSuite(() => numberRows)
