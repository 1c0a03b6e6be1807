// Follows a request to its queries as OpenTelemetry does: by the context of asynchronous calls, and by the
// query function of the driver. `--import` loads it before the gateway.

import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { Server } from 'node:http'
import pg from 'pg'

const context = new AsyncLocalStorage()

const { emit } = Server.prototype
Server.prototype.emit = function (name, ...args) {
  const next = () => emit.call(this, name, ...args)
  return name === 'request' ? context.run(args[0].headers.traceparent, next) : next()
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (...args) {
  const line = { query: args[0].name ?? '', traceparent: context.getStore() ?? null }
  appendFileSync('queries.jsonl', `${JSON.stringify(line)}\n`)
  return query.apply(this, args)
}
