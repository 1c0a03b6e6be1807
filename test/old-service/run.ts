// An old service to play with, on port 8080: `npm run old-service`, or another: `npm run old-service --
// --port 8081`. It has the sample data, and a few habits.

import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startOldService } from '../kit/old-service.ts'

const port = portIn(process.argv.slice(2))
if (port === null) end('Usage: npm run old-service -- [--port NUMBER]', 2)
const old = await startOldService(
  { unknown: 'null', errorStatus: '200', serviceName: 'Acme', maxValues: 50 },
  { port },
).catch(() => end(`Port ${port} is taken. Choose another: npm run old-service -- --port NUMBER`, 1))
process.stdout.write(`An old service answers at ${old.url}. Ctrl+C stops it.\n`)
await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)))
await old.close()

function portIn(args: string[]): number | null {
  try {
    const { values } = parseArgs({ args, options: { port: { type: 'string', default: '8080' } } })
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : 0
    return port > 0 && port < 65_536 ? port : null
  } catch {
    return null
  }
}

function end(message: string, status: number): never {
  process.stderr.write(`${message}\n`)
  process.exit(status)
}
