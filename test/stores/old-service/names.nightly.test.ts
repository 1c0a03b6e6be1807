import { togetherSuite } from './together.ts'

togetherSuite()
