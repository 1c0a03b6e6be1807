// `lookup probe URL`: what an old service does, beside what the gateway does, and the settings that make them
// alike.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { listen } from '../../gateway/http/server.ts'
import type { Service } from '../../service-headers.ts'
import { createCall } from '../../stores/old-service/call.ts'
import { CommandError, Interrupted } from '../../terminal/command-error.ts'
import { onInterrupt } from '../../terminal/interrupt.ts'
import { refuseUnwritable } from '../../terminal/outputs.ts'
import { showProgress } from '../../terminal/progress.ts'
import { CALL_TIMEOUT_MS } from '../pace.ts'
import type { Advice } from './advice.ts'
import { CannotProbe, MAX_REQUESTS } from './ask.ts'
import { mergeEnv } from './env-file.ts'
import { type Known, knownStore } from './known.ts'
import { printProbe } from './print.ts'
import { observeGateway, type Probed, probe } from './probe.ts'

export interface ProbeRequest {
  readonly old: Service
  readonly users: readonly string[]
  readonly apps: readonly string[]
  readonly chats: readonly string[]
  readonly chatMethods: readonly string[]
  /** Requests a second. */
  readonly rate: number
  /** A file for the settings. */
  readonly write?: string
}

/** What the settings in force are, and would be. */
export interface ProbeSettings {
  /** Those in force, with others in their place. @throws ConfigError */
  readonly configWith: (advice: Advice) => Config
  /** Names that the environment sets, which is stronger than any file. */
  readonly inEnvironment: (name: string) => boolean
}

export async function runProbe(
  { configWith, inEnvironment }: ProbeSettings,
  request: ProbeRequest,
): Promise<void> {
  const { rate, write } = request
  const { url } = request.old
  const config = configWith({})
  if (write !== undefined) refuseUnwritable(write)
  process.stderr.write(
    `Probing ${url}: at most ${MAX_REQUESTS} requests, one at a time, ${rate} a second, ${CALL_TIMEOUT_MS / 1000} s for each.\n`,
  )
  const probed = await probeOld(request)
  const { advice } = probed
  const set = await observeAs(config, probed)
  const advised = await observeAs(configWith(advice), probed)
  process.stdout.write(printProbe({ ...probed, url, set, advised }))
  if (write === undefined) return
  writeFileSync(write, mergeEnv(existsSync(write) ? readFileSync(write, 'utf8') : '', advice, write))
  process.stderr.write(`The settings are in ${write}.\n`)
  const hidden = Object.keys(advice).filter(inEnvironment)
  if (hidden.length > 0)
    process.stderr.write(`The environment sets ${hidden.join(', ')} as well, and is stronger than a file.\n`)
}

async function probeOld(request: ProbeRequest): Promise<Probed> {
  const call = createCall(request.old, { timeout: CALL_TIMEOUT_MS, connections: 1, keep: false })
  const progress = showProgress('probe', null)
  const { signal, name, release } = onInterrupt()
  try {
    const onProgress = (sent: number) => progress.update(sent, `${sent} requests`)
    return await probe(call, { ...request, signal, onProgress })
  } catch (error) {
    if (error instanceof CannotProbe)
      throw new CommandError(`${request.old.url} cannot be probed. ${error.message}`)
    if (signal.aborted) throw new Interrupted('Interrupted. Nothing was written.', name())
    throw error
  } finally {
    release()
    progress.stop()
  }
}

/** A gateway with these settings, over what is known of the old service's data, is asked the same. */
async function observeAs(config: Config, { behaviours, known }: Probed): Promise<string[]> {
  return withGateway(config, known, (url) =>
    observeGateway(
      behaviours,
      createCall({ url, headers: {} }, { timeout: CALL_TIMEOUT_MS, connections: 1 }),
    ),
  )
}

async function withGateway<Result>(
  config: Config,
  known: Known,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const nothingTrusted = { manifest: null, only: false }
  const alone = {
    ...config,
    rateLimit: null,
    shadow: { url: null, headers: {}, sample: 0 },
    trustedDocuments: nothingTrusted,
  }
  const app = await createApp(alone, knownStore(known), () => {})
  const listener = await listen(app, { port: 0, host: '127.0.0.1', timeouts: config.timeouts })
  try {
    return await use(listener.url.replace('localhost', '127.0.0.1'))
  } finally {
    await listener.close(0)
    app.close()
  }
}
