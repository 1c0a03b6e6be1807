// What has to be there before anything can be measured.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { cache, gatewayEntry } from './databases.ts'
import { environment } from './processes.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether a program can be run. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { env: environment(), stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** @throws what is missing, and how to get it */
export function checkPrograms(): void {
  if (!has('wrk')) throw new Error('wrk is missing: apt-get install wrk')
  if (!has('taskset')) throw new Error('taskset is missing: apt-get install util-linux')
  if (availableParallelism() < 2) throw new Error('Two cores are needed: one for the server, one for wrk.')
}

/** Installs the peers where that has not been done. */
export function installPeers(progress: (text: string) => void): void {
  const { dependencies }: Peers = JSON.parse(readFileSync(`${here}package.json`, 'utf8'))
  if (Object.keys(dependencies).every((name) => existsSync(`${here}node_modules/${name}`))) return
  progress('installing the peers')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

interface Peers {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Whether `serve` has a flag yet. */
export function gatewayKnows(flag: string): boolean {
  const help = execFileSync(process.execPath, [gatewayEntry, 'serve', '--help'], { encoding: 'utf8' })
  return help.includes(flag)
}

/** Puts the sources of another commit beside these, with the same packages. */
export function checkOut(commit: string): void {
  const folder = `${cache}before`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(`${root}node_modules`, `${folder}/node_modules`)
}
