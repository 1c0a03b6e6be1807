import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Where the gateway's tracing is, and what is to be installed for it. */
export const folder = new URL('../../../deploy/tracing/', import.meta.url).pathname

const instrumentation = '@opentelemetry/auto-instrumentations-node'

/** Whether OpenTelemetry is there: installs it where it is not. Where CI is set, it is an error that it cannot be. */
export function installTracing(): boolean {
  const { dependencies } = readJson('package.json')
  if (readJson(`node_modules/${instrumentation}/package.json`).version === dependencies?.[instrumentation])
    return true
  try {
    execFileSync('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return true
  } catch (error) {
    if (process.env.CI) throw error
    process.stderr.write('Skipped: tests of tracing. To run them: npm ci --prefix deploy/tracing\n')
    return false
  }
}

interface Package {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

function readJson(file: string): Package {
  try {
    return JSON.parse(readFileSync(`${folder}${file}`, 'utf8'))
  } catch {
    return {} // not installed
  }
}
