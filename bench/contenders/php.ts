// nginx and PHP-FPM, with configuration files that are made for each start.

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../contenders.ts'
import { findProgram, type Program } from '../processes.ts'

const nginx = findProgram('nginx')
const fpm = findProgram('php-fpm*')
const isRoot = process.getuid?.() === 0

export function missing(): string | null {
  const extensions = fpm === null ? '' : execFileSync(fpm, ['-m'], { encoding: 'utf8' })
  if (nginx !== null && /^pdo_sqlite$/m.test(extensions) && /^SimpleXML$/m.test(extensions)) return null
  return 'apt-get install nginx php-fpm php-sqlite3 php-xml'
}

export function programs({ port, database, folder }: Place): readonly Program[] {
  const [nginxFile, fpmFile] = [join(folder, 'nginx.conf'), join(folder, 'php-fpm.conf')]
  writeFileSync(nginxFile, nginxSettings(folder, port, database))
  writeFileSync(fpmFile, fpmSettings(folder))
  return [
    { argv: [fpm ?? '', '--nodaemonize', '--fpm-config', fpmFile, ...(isRoot ? ['-R'] : [])] },
    { argv: [nginx ?? '', '-p', folder, '-e', 'stderr', '-c', nginxFile] },
  ]
}

const fpmSettings = (folder: string) => `
[global]
error_log = ${folder}/php-fpm.log
[bench]
${isRoot ? 'user = root' : ''}
listen = ${folder}/php.sock
listen.backlog = 1024
pm = static
pm.max_children = 4
php_admin_value[opcache.validate_timestamps] = 0
`

// One worker: everything shares one core. The load generator keeps its connections longer than a browser
// does.
const nginxSettings = (folder: string, port: number, database: string) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
${isRoot ? 'user root;' : ''}
events {}
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path ${folder}/body;
  fastcgi_temp_path ${folder}/fastcgi;
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      fastcgi_pass unix:${folder}/php.sock;
      fastcgi_buffers 16 16k;
      fastcgi_param SCRIPT_FILENAME ${join(import.meta.dirname, 'index.php')};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param DSN "${database}";
    }
  }
}
`
