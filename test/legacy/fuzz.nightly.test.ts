import { fuzzSuite } from './support/fuzz.ts'

fuzzSuite()
