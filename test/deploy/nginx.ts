// The proxy as compose.yaml runs it, with other addresses.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { freePort } from '../kit/postgres/server.ts'
import { need } from '../kit/programs.ts'
import { test as base } from '../kit/test.ts'

need('nginx')

/** With a proxy before the shared gateway. */
export const test = base.extend('proxy', ({ gateway }) => startProxy([gateway.url]))

const conf = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')

export interface RunningProxy {
  readonly url: string
  /** Where it speaks HTTP/2 with prior knowledge. */
  readonly http2Url: string
  /** The folders for temporary files in which one was made since the start, though it may be gone again. */
  readonly filled: () => string[]
}

/** Starts nginx before these gateways; the end of the test ends it. */
export async function startProxy(gateways: readonly string[]): Promise<RunningProxy> {
  const port = await freePort()
  const hosts = gateways.map((url) => new URL(url).host)
  const servers = (flags: string) => hosts.map((host) => `server ${host}${flags};`).join(' ')
  const http2 = await http2For(port)
  const adapted = adapt(conf, {
    'listen 80;': `listen 127.0.0.1:${port};`,
    'http2 on;': http2.directive,
    'server gateway:4000 resolve fail_timeout=1s;': servers(' fail_timeout=1s'),
    'server gateway:4000 resolve backup max_fails=0;': servers(' backup max_fails=0'),
  })
  const { url, filled } = await startNginx(adapted, port)
  return { url, http2Url: `http://127.0.0.1:${http2.port}`, filled }
}

/** Starts nginx with this part of its http block, which listens on the port; the end of the test ends it. */
export async function startNginx(part: string, port: number): Promise<Pick<RunningProxy, 'url' | 'filled'>> {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'default.conf'), part)
  writeFileSync(join(folder.path, 'nginx.conf'), surroundings)
  mkdirSync(join(folder.path, 'temp'))
  // Without the flags, nginx would use the paths of the system.
  const child = spawn('nginx', ['-p', folder.path, '-c', 'nginx.conf', '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  const ended = once(child, 'exit')
  const stop = () => child.kill('SIGTERM') // its workers go with it
  process.once('exit', stop)
  onTestFinished(async () => {
    stop()
    await ended
    process.off('exit', stop)
    folder.remove()
  })
  const url = `http://127.0.0.1:${port}`
  await Promise.race([
    untilItListens(url, child),
    ended.then(() => Promise.reject(new Error(`nginx: ${errors}`))),
  ])
  return { url, filled: watchFolders(join(folder.path, 'temp')) }
}

/** Before 1.25.1, nginx had no directive "http2", and a port without TLS spoke one version only. */
async function http2For(port: number): Promise<{ port: number; directive: string }> {
  const version = /nginx\/(\d+)\.(\d+)\.(\d+)/.exec(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr)
  const [major = 0, minor = 0, patch = 0] = (version ?? []).slice(1).map(Number)
  if ((major * 1000 + minor) * 1000 + patch >= 1_025_001) return { port, directive: 'http2 on;' }
  const another = await freePort()
  return { port: another, directive: `listen 127.0.0.1:${another} http2;` }
}

/**
 * nginx unlinks a temporary file when it has opened it: only the time of its folder tells that it was there.
 */
function watchFolders(parent: string): () => string[] {
  const timeOf = (name: string) => statSync(join(parent, name), { bigint: true }).mtimeNs
  const before = new Map(readdirSync(parent).map((name) => [name, timeOf(name)]))
  return () => [...before].flatMap(([name, time]) => (timeOf(name) === time ? [] : name))
}

/** What the image's own nginx.conf has around it. */
const surroundings = `
daemon off;
pid nginx.pid;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 2;
events {}
http {
  client_body_temp_path temp/body;
  proxy_temp_path temp/proxy;
  fastcgi_temp_path temp/fastcgi;
  uwsgi_temp_path temp/uwsgi;
  scgi_temp_path temp/scgi;
  include default.conf;
}
`

export function adapt(text: string, replacements: Readonly<Record<string, string>>): string {
  for (const [from, to] of Object.entries(replacements)) {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`the configuration has "${from}" ${parts.length - 1} times`)
    text = parts.join(to)
  }
  return text
}

async function untilItListens(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    // Any response shows that nginx listens.
    const listens = await fetch(`${url}/`, { method: 'HEAD' }).then(
      () => true,
      () => false,
    )
    if (listens) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
