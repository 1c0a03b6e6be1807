// npm, run by tests: in a folder of theirs, or about the repository.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
}

/**
 * The packages that a lock file names, by their place under node_modules; the project itself is none of them.
 */
export function lockedPackages(file: string): Map<string, LockedPackage> {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, 'utf8'))
  const { '': _project, ...others } = packages
  return new Map(Object.entries(others))
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
export const nameOf = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13)

/**
 * The environment for an npm that runs elsewhere: this Node first, and nothing of what npm tells the tests
 * about itself. What is in npm's cache is not asked for again.
 */
export function npmEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) || /^npm_config_(?:cache|registry|userconfig|globalconfig)$/i.test(name),
  )
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  return { ...Object.fromEntries(own), PATH, npm_config_prefer_offline: 'true' }
}

/** What `npm …` prints. @throws where it fails */
export async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd,
    env: npmEnvironment(),
    maxBuffer: 1 << 26,
  })
  return stdout
}

/** A folder's package.json. */
export function packageOf(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

interface Package {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
}
