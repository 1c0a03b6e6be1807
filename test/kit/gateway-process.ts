import { join } from 'node:path'
import { makeTables } from '../../src/stores/transfer.ts'
import { fill, sample, temporaryFolder } from './gateway.ts'
import { outcomeOf, startLookup } from './run-lookup.ts'
import { originOf, welcomeOf } from './serving.ts'
import { startFlags } from './start-flags.ts'

export interface GatewayProcess {
  readonly url: string
  readonly pid: number
  readonly settings: Readonly<Record<string, string>>
  readonly data: { readonly users: string; readonly apps: string }
  /** Ends it. @returns what it wrote on stderr: errors, since it logs nothing else */
  readonly close: () => Promise<string>
}

/**
 * `lookup serve` on a free port, over an SQLite file of its own filled with `data`. Being a process of its
 * own, it is not kept waiting by its clients, nor they by it; and it has loaded all it needs.
 */
export async function startGatewayProcess(
  settings: Readonly<Record<string, string>> = {},
  data: GatewayProcess['data'] = sample,
): Promise<GatewayProcess> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'test.db')
  await makeTables({ kind: 'sqlite', path })
  await fill({ kind: 'sqlite', path }, 'users', data.users)
  await fill({ kind: 'sqlite', path }, 'apps', data.apps)
  const env = {
    DATABASE_URL: `sqlite:${path}`,
    PORT: '0',
    ADMIN_PORT: 'off',
    LOG_LEVEL: 'error',
    ...settings,
  }
  const child = startLookup(['serve'], { cwd: folder.path, env, nodeFlags: startFlags, timeout: 900_000 })
  const outcome = outcomeOf(child)
  const url = originOf((await welcomeOf(child, outcome))['Legacy JSON'])
  const close = async () => {
    child.kill()
    const { stderr } = await outcome
    folder.remove()
    return stderr.slice(0, 3000)
  }
  await warm(url)
  return { url, pid: child.pid ?? 0, settings, data, close }
}

/** Makes the gateway load what it loads on first use, so that no measured request waits for it. */
async function warm(url: string): Promise<void> {
  for (const accept of ['text/html', 'text/event-stream'])
    await (await fetch(`${url}/graphql?query={__typename}`, { headers: { accept } })).arrayBuffer()
}
