// An old service to play with, on port 8080: `npm run old-service`. It has the sample data, and a few habits.

import { once } from 'node:events'
import { startOldService } from './start.ts'

const old = await startOldService(
  { unknown: 'null', errorStatus: '200', serviceName: 'Acme', maxValues: 50 },
  { port: 8080 },
)
process.stdout.write(`An old service answers at ${old.url}. Ctrl+C stops it.\n`)
await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
await old.close()
