// The proxy as compose.yaml runs it, with other addresses.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** Starts nginx before these gateways; the end of the test ends it. */
export async function startProxy(gateways: readonly string[]): Promise<{ readonly url: string }> {
  const port = await freePort()
  const hosts = gateways.map((url) => new URL(url).host)
  const servers = (flags: string) => hosts.map((host) => `server ${host}${flags};`).join(' ')
  const adapted = adapt(conf, {
    'listen 80;': `listen 127.0.0.1:${port};`,
    // Before 1.25.1, nginx had no such directive.
    'http2 on;': '',
    'server gateway:4000 resolve fail_timeout=1s;': servers(' fail_timeout=1s'),
    'server gateway:4000 resolve backup max_fails=0;': servers(' backup max_fails=0'),
  })
  return startNginx(adapted, port)
}

/** Starts nginx with this part of its http block, which listens on the port; the end of the test ends it. */
export async function startNginx(part: string, port: number): Promise<{ readonly url: string }> {
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
  return { url }
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
