import { type ServerGateway, startGatewayOn } from '../server-gateway.ts'
import { postgresEngine } from './engine.ts'

export type PostgresGateway = ServerGateway

/** Over a database of its own on the PostgreSQL server that all tests share. */
export const startGatewayOnPostgres = startGatewayOn(postgresEngine)
