import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/** Programs that do not come with `npm install`, and the Debian command that installs each. */
const packages = {
  php: 'apt-get install -y php-cli php-xml php-sqlite3',
  perl: 'apt-get install -y perl',
  chromium: 'apt-get install -y chromium',
  sqlite3: 'apt-get install -y sqlite3',
  curl: 'apt-get install -y curl',
  nginx: 'apt-get install -y nginx',
  apache2: 'apt-get install -y apache2',
  haproxy: 'apt-get install -y haproxy',
  script: 'apt-get install -y bsdutils',
  initdb: 'apt-get install -y postgresql',
  openssl: 'apt-get install -y openssl',
  prometheus: 'apt-get install -y prometheus',
  'systemd-analyze': 'apt-get install -y systemd',
} as const

/**
 * Fails a file of tests whose program is missing: no tier skips it.
 * @param file where the program is, if not in PATH
 * @throws Error that says how to install it
 */
export function need(name: keyof typeof packages, file: string = name): void {
  const isThere = isAbsolute(file)
    ? existsSync(file)
    : spawnSync(file, ['--version'], { stdio: 'ignore' }).error === undefined
  if (!isThere) throw new Error(`${name} is missing. Install it: ${packages[name]}`)
}

/** A Node on the path that is too old for the service; says on stderr where there is none. */
export function oldNode(): string | undefined {
  const found = spawnSync('which', ['-a', 'node'], { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  const major = (node: string) =>
    Number(spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0])
  const old = found.find((node) => major(node) < 24)
  if (old === undefined) process.stderr.write('Skipped: there is no Node older than 24 on the path.\n')
  return old
}

/**
 * Whether file systems can be mounted in a namespace of its own, as root can; says on stderr where they
 * cannot.
 */
export function canMount(): boolean {
  const can = spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0
  if (!can && process.env.CI) throw new Error('file systems cannot be mounted: run the tests as root')
  if (!can) process.stderr.write('Skipped: tests that mount file systems. To run them: be root\n')
  return can
}
