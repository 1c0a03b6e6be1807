import { sqliteSuite } from './sqlite.ts'

sqliteSuite()
