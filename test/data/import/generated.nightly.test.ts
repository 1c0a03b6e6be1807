import { generatedSuite } from './generated.ts'

generatedSuite()
