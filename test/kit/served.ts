// `lookup serve` in this process: its welcome text, its log, its admin port, a reload and a stop.

import { join } from 'node:path'
import { runServe } from '../../src/cluster/serve.ts'
import type { StopRequest } from '../../src/cluster/signals.ts'
import { readConfig } from '../../src/config/config.ts'
import { createLogger } from '../../src/observe/log.ts'
import { TextStream } from './run-lookup.ts'
import { originOf, readWelcome, welcomeEnd } from './serving.ts'

export interface Served {
  /** The addresses and other facts of the welcome text, by their labels. */
  readonly shown: Readonly<Record<string, string>>
  /** The origins of the two ports. */
  readonly url: string
  readonly admin: string
  /** The lines of the log so far. */
  readonly log: () => Record<string, unknown>[]
  /** As SIGHUP does. @param settings those that are read then; by default the same */
  readonly reload: (settings?: Settings) => void
  /** As SIGTERM does. */
  readonly stop: () => Promise<void>
}

type Settings = Readonly<Record<string, string>>

/** @param folder of the database `lookup.db`, if the settings name none */
export async function startServe(settings: Settings, folder: string): Promise<Served> {
  const defaults = { PORT: '0', ADMIN_PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'lookup.db')}` }
  let current = { ...defaults, ...settings }
  const read = () => readConfig({ environment: current })
  const [stdout, log] = [new TextStream(), new TextStream()]
  const stopping = Promise.withResolvers<StopRequest>()
  let renew = () => {}
  const ended = runServe({ stdout, env: {} }, read(), read, {
    createLog: (config) => createLogger(config, { out: { write: (line) => log.write(line) } }),
    waitForStop: (_env, _isWorker, renewal) => {
      renew = renewal
      return stopping.promise
    },
  })
  await Promise.race([ended, stdout.untilText(welcomeEnd)])
  const shown = readWelcome(stdout.text)
  return {
    shown,
    url: originOf(shown['Legacy JSON']),
    admin: shown.Readiness === undefined ? '' : originOf(shown.Readiness),
    log: () =>
      log.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    reload: (next) => {
      if (next !== undefined) current = { ...defaults, ...next }
      renew()
    },
    stop: async () => {
      stopping.resolve({ reason: 'SIGTERM', linger: 0 })
      await ended
    },
  }
}
