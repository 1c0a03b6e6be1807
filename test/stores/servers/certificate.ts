import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { giveAway } from '../../kit/postgres/programs.ts'
import { need } from '../../kit/programs.ts'

need('openssl')

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' })
}

/** Makes a certificate of 127.0.0.1 that is its own authority, for a server with this folder. */
export function makeCertificate(folder: string) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', certificate]
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files)
  for (const file of [key, certificate]) giveAway(file)
  chmodSync(key, 0o600)
  /** Signs it again, for so many days from now. */
  function renew(days: number): void {
    const renewed = `${certificate}.new`
    openssl('x509', '-in', certificate, '-signkey', key, '-days', String(days), '-out', renewed)
    giveAway(renewed)
    renameSync(renewed, certificate)
  }
  return { key, certificate, renew }
}
