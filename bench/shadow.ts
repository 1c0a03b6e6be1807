// node bench/shadow.ts: what comparing costs those who are answered, while the old service hangs.
//
// Two gateways over the sample data take turns on one core, one of them with every answer a candidate for
// comparison; wrk asks from the other core. The ratio of the medians is what docs/replay.md has.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFlags } from './contenders.ts'
import { freePort, type Server, startServer } from './processes.ts'
import { alternating, spreadOf } from './statistics.ts'
import { workloads } from './workloads.ts'
import { runLoad } from './wrk.ts'

const ROUNDS = 24
const SECONDS = 2

const entry = fileURLToPath(new URL('../src/lookup.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'shadow-'))
const hanging = createServer(() => {}).listen(0, '127.0.0.1')
await once(hanging, 'listening')
const address = hanging.address()
if (address === null || typeof address === 'string') throw new Error('no port')

async function gateway(settings: Readonly<Record<string, string>>): Promise<Server> {
  const port = await freePort()
  return startServer(
    [
      {
        file: process.execPath,
        args: [...startFlags(), entry, 'serve'],
        environment: { PORT: String(port), ADMIN_PORT: '0', ...settings },
      },
    ],
    { url: `http://127.0.0.1:${port}`, cores: '0', folder },
  )
}

const plain = await gateway({})
const shadowing = await gateway({ SHADOW_URL: `http://127.0.0.1:${address.port}/`, SHADOW_SAMPLE: '1' })

async function load({ url }: Server, connections: number, seed: number) {
  const workload = { ...workloads['json-1'], connections }
  return runLoad(url, { workload, format: 'json', users: 14, seconds: SECONDS, seed, cores: '1' })
}

for (const connections of [4, 16]) {
  for (const server of [plain, shadowing]) await load(server, connections, 0)
  const empty = (): Record<'p50' | 'p99', number[]> => ({ p50: [], p99: [] })
  const results = { plain: empty(), shadowing: empty() }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, server] of alternating(
      [
        ['plain', plain],
        ['shadowing', shadowing],
      ] as const,
      round,
    )) {
      const { p50, p99, errors } = await load(server, connections, round)
      if (errors > 0) throw new Error(`${errors} requests failed`)
      results[name].p50.push(p50)
      results[name].p99.push(p99)
    }
    process.stderr.write(`${connections} connections: round ${round} of ${ROUNDS}\n`)
  }
  for (const share of ['p50', 'p99'] as const) {
    const without = spreadOf(results.plain[share]).median
    const beside = spreadOf(results.shadowing[share]).median
    process.stdout.write(
      `${connections} connections, ${share}: ${without.toFixed(3)} ms without, ${beside.toFixed(3)} ms with: ${(beside / without).toFixed(2)} x\n`,
    )
  }
}

await Promise.all([plain.stop(), shadowing.stop()])
hanging.close()
rmSync(folder, { recursive: true })
