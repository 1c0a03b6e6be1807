// A public generator makes a client of the OpenAPI file, and the client makes real calls.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, temporaryFolder } from '../../../kit/gateway.ts'
import { installed } from '../../../kit/install.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** What the generator makes of the operation `lookup`. */
interface Client {
  readonly lookup: (options: {
    readonly baseUrl: string
    readonly query: Readonly<Record<string, string>>
  }) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>
}

describe.skipIf(!installed(folder, '@hey-api/openapi-ts'))('a generated client', () => {
  let gateway: Gateway
  let client: Client
  const { path, remove } = temporaryFolder()
  beforeAll(async () => {
    gateway = await startGateway()
    const input = `${gateway.url}/schema/legacy.openapi.json`
    const { createClient }: { createClient: (options: object) => Promise<unknown> } = await import(
      join(folder, 'node_modules/@hey-api/openapi-ts/dist/index.mjs')
    )
    await createClient({ input, output: path, logs: { level: 'silent', file: false } })
    const bundle = await rolldown({ input: join(path, 'index.ts') })
    await bundle.write({ file: join(path, 'client.mjs') })
    client = await import(join(path, 'client.mjs'))
  })
  afterAll(async () => {
    await gateway.close()
    remove()
  })

  const lookup = (query: Readonly<Record<string, string>>) => client.lookup({ baseUrl: gateway.url, query })

  test('looks up users', async () => {
    const { data } = await lookup({ Event: 'ProfileLookup', Users: '1:99' })
    expect(data).toMatchObject({ 1: { Id: 1, Username: 'Ada', IsConfirmed: true, Banned: false } })
  })

  test('looks up apps', async () => {
    const { data } = await lookup({ Event: 'AppLookup', Apps: '1' })
    expect(data).toMatchObject({ 1: { Title: 'Pocket Almanac' } })
  })

  test('is told why it is refused', async () => {
    const { data, error, response } = await lookup({ Event: 'AppLookup', Apps: 'x' })
    expect(data).toBeUndefined()
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ Error: { Code: 'MalformedIdentifier' } })
  })

  test('has the types that the answers have', () => {
    const program = `
      import { lookup } from './index.ts'
      const { data } = await lookup({ query: { Event: 'ProfileLookup', Users: '1', Format: 'JSON' } })
      const entry = data?.['1']
      if (entry && 'Username' in entry) { const name: string = entry.Username; const id: number = entry.Id; void [name, id] }
      // @ts-expect-error
      await lookup({ query: { Event: 'OtherLookup' } })`
    execFileSync('sh', ['-c', 'cat > program.mts'], { cwd: path, input: program })
    const flags =
      '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --module nodenext --lib es2022,dom,dom.iterable'
    execFileSync(join(folder, 'node_modules/.bin/tsc'), [...flags.split(' '), 'program.mts'], {
      cwd: path,
      stdio: 'pipe',
    })
  })
})
