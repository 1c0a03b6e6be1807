// .ci/audit, against a registry that answers as the test wants.

import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { type TestContext, test } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { lockedPackages, nameOf, npmEnvironment } from '../kit/npm.ts'

const script = fileURLToPath(new URL('../../.ci/audit', import.meta.url))

/** An advisory about a package that the service needs, and no other package does. */
const advisory = (severity: string) => ({
  papaparse: [
    {
      id: 1,
      url: 'https://advisories.example/1',
      title: 'It counts wrong',
      severity,
      vulnerable_versions: '*',
    },
  ],
})

type Lifetime = Pick<TestContext, 'onTestFinished'>

/** Runs the script; the registry answers advisories with `status` and `body`, and has no packages. */
async function audit({ onTestFinished }: Lifetime, status: number, body: object) {
  let asked: string[] = []
  const registry = createServer(async (request, response) => {
    const bulk = request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk'
    if (bulk) asked = Object.keys(JSON.parse(String(gunzipSync(await buffer(request)))))
    response.writeHead(bulk ? status : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(bulk ? body : {}))
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const address = registry.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  // npm keeps advisories; these are not for the cache of the user who runs the tests.
  const cache = temporaryFolder()
  onTestFinished(cache.remove)
  const own = { npm_config_registry: `http://127.0.0.1:${address.port}/`, npm_config_cache: cache.path }
  const env = { ...npmEnvironment(), ...own }
  return new Promise<{ failed: boolean; printed: string; asked: string[] }>((resolve) => {
    execFile(script, { env }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: stdout + stderr, asked }),
    )
  })
}

const fails = /^papaparse.*\nSeverity: (?:high|critical)\n/m
const passes = /^found 0 vulnerabilities\n$/

test.concurrent.for([
  ['nothing known', 200, {}, { failed: false, printed: passes }],
  ['a low one', 200, advisory('low'), { failed: false, printed: /papaparse/ }],
  ['a moderate one', 200, advisory('moderate'), { failed: false, printed: /papaparse/ }],
  ['a high one', 200, advisory('high'), { failed: true, printed: fails }],
  ['a critical one', 200, advisory('critical'), { failed: true, printed: fails }],
  ['no such service', 405, {}, { failed: false, printed: /^npm audit was NOT made: 405 .*\n$/ }],
  ['no entry', 403, {}, { failed: false, printed: /^npm audit was NOT made: 403 .*\n$/ }],
] as const)('%s', { timeout: 60_000 }, async ([, status, body, { failed, printed }], context) => {
  const outcome = await audit(context, status, body)
  context.expect(outcome.printed).toMatch(printed)
  context.expect(outcome.failed).toBe(failed)
})

test.concurrent('it asks about all that is needed at run time, and nothing else', async (context) => {
  const { asked } = await audit(context, 200, {})
  const locked = [...lockedPackages(fileURLToPath(new URL('../../package-lock.json', import.meta.url)))]
  const needed = locked
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(([place]) => nameOf(place))
  context.expect(asked.toSorted()).toEqual([...new Set(needed)].toSorted())
})
