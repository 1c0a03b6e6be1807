// The unit of systemd, and a systemd of a test's own that runs it.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const unit = readFileSync(join(root, 'deploy/systemd/lookup.service'), 'utf8')

export interface Systemd {
  /** Runs a command where this systemd sees it. @returns what it printed; rejects where it fails */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>
  readonly close: () => Promise<void>
}

/** Empty units that the unit depends on. */
const targets = ['sysinit', 'basic', 'shutdown', 'network-online']

interface Boot {
  readonly folder: string
  /** The files of /etc/lookup. */
  readonly etc: Readonly<Record<string, string>>
}

/** Boots a systemd that starts the unit. It writes logs to /run/log, for it has no journal. */
export async function bootSystemd({ folder, etc }: Boot): Promise<Systemd> {
  for (const sub of ['units/lookup.service.d', 'lookup']) mkdirSync(join(folder, sub), { recursive: true })
  const units = join(folder, 'units')
  writeFileSync(join(units, 'lookup.service'), unit.replace('/usr/bin/node', '/opt/node'))
  const log = '[Service]\nStandardOutput=append:/run/log\nStandardError=append:/run/log\n'
  writeFileSync(join(units, 'lookup.service.d/log.conf'), log)
  for (const target of targets)
    writeFileSync(join(units, `${target}.target`), '[Unit]\nDefaultDependencies=no\n')
  for (const [name, text] of Object.entries(etc)) writeFileSync(join(folder, 'lookup', name), text)

  const script = fileURLToPath(new URL('boot-systemd.sh', import.meta.url))
  const child = spawn('unshare', ['-m', script, process.execPath, root, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const pid = await firstLine(child)
  const run: Systemd['run'] = async (...command) => {
    const options = ['-t', pid, '-m', '-p', '-C', '-i', '-u', ...command]
    const { stdout } = await promisify(execFile)('nsenter', options, { timeout: 30_000 })
    return stdout
  }
  const close = async () => {
    const ended = once(child, 'close')
    child.stdin.end()
    await ended
  }
  return { run, close }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('it has no stdout')
  for await (const line of createInterface(stdout)) return line
  throw new Error('systemd could not be booted')
}
