// Web servers and proxies as Debian packages them, each with a log of its own. They listen on 127.0.0.1.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../kit/gateway.ts'
import { freePort } from '../../kit/postgres/server.ts'

export interface LoggingServer {
  /** Sends bytes as they are. @returns what came back until the server closed */
  readonly send: (bytes: string) => Promise<string>
  /** What it has logged so far. */
  readonly log: (name: string) => string
  readonly stop: () => Promise<void>
}

interface Recipe {
  readonly program: string
  readonly args: (config: string) => readonly string[]
  readonly config: (folder: string, port: number, other: number) => string
}

const nginxLog = (name: string, format: string, escaping = '') =>
  `log_format ${name} ${escaping} '${format}';`
const recipes = {
  nginx: {
    program: 'nginx',
    args: (config) => ['-c', config],
    config: (folder, port, other) => `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http {
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  ${nginxLog('j', '{"t":"$time_iso8601","remote_addr":"$remote_addr","request_method":"$request_method","request_uri":"$request_uri","ua":"$http_user_agent","referer":"$http_referer","status":$status}', 'escape=json')}
  ${nginxLog('o', '$time_iso8601 $remote_addr $request_method $request_uri $status "$http_user_agent" $request_time')}
  ${nginxLog('p', '$msec|$remote_addr|$request|$http_user_agent')}
  server { listen 127.0.0.1:${other}; access_log off; location / { return 200 "{}"; } }
  server { listen 127.0.0.1:${port};
    access_log ${folder}/combined.log combined; access_log ${folder}/json.log j;
    access_log ${folder}/own.log o; access_log ${folder}/bars.log p;
    location / { proxy_pass http://127.0.0.1:${other}; } }
}`,
  },
  apache2: {
    program: 'apache2',
    args: (config) => ['-DFOREGROUND', '-f', config],
    config: (folder, port) => `
ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
Mutex file:${folder} default
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
User www-data
Group www-data
ErrorLog ${folder}/error.log
DocumentRoot ${folder}
CustomLog ${folder}/combined.log "%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\""
CustomLog ${folder}/common.log "%v:%p %h %l %u %t \\"%r\\" %>s %b"
CustomLog ${folder}/json.log "{\\"time\\":\\"%t\\",\\"remoteIP\\":\\"%a\\",\\"request\\":\\"%U\\",\\"query\\":\\"%q\\",\\"method\\":\\"%m\\",\\"userAgent\\":\\"%{User-Agent}i\\"}"`,
  },
  haproxy: {
    program: 'haproxy',
    args: (config) => ['-db', '-f', config],
    config: (_, port) => `
global
  log stdout format rfc3164 local0
defaults
  mode http
  log global
  option httplog
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend old
  bind 127.0.0.1:${port}
  capture request header User-Agent len 200
  capture request header Referer len 200
  http-request return status 200 content-type application/json string "{}"`,
  },
} as const satisfies Record<string, Recipe>

export async function startLogging(name: keyof typeof recipes): Promise<LoggingServer> {
  const { program, args, config } = recipes[name]
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o777)
  const [port, other] = [await freePort(), await freePort()]
  const file = join(folder.path, 'server.conf')
  writeFileSync(file, `${config(folder.path, port, other)}\n`)
  const child = spawn(program, args(file), { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(createWriteStream(join(folder.path, 'stdout.log')))
  const complaints = text(child.stderr)
  const send = async (bytes: string) => {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.write(Buffer.from(bytes, 'latin1'))
    return text(socket)
  }
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${name} has ended: ${await complaints}`)
    // A connection that says nothing is not logged by all of them; the log has what is sent afterwards.
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  })
  return {
    send,
    log: (log) => {
      const path = join(folder.path, log)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    },
    stop: async () => {
      await end(child)
      folder.remove()
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await isTrue()); attempt++) {
    if (attempt === 600) throw new Error('What was waited for has not come.')
    await sleep(50)
  }
}
