import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Package {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * Whether what a folder's package.json asks for is there: installs it where it is not. Where CI is set, it is
 * an error that it cannot be.
 * @param folder with a slash at its end
 * @param witness one of its packages
 */
export function installed(folder: string, witness: string): boolean {
  const { dependencies } = readJson(`${folder}package.json`)
  if (readJson(`${folder}node_modules/${witness}/package.json`).version === dependencies?.[witness])
    return true
  try {
    execFileSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return true
  } catch (error) {
    if (process.env.CI) throw error
    process.stderr.write(`Skipped: some tests. To run them: npm ci --prefix ${folder}\n`)
    return false
  }
}

function readJson(file: string): Package {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {} // not installed
  }
}
