// Commands, and a gateway, in front of an old service behind a login and a firewall: they get through, and no
// output and no file has the login or the headers.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { startAnswering } from '../kit/answering.ts'
import { createEagerClock } from '../kit/clock.ts'
import { startGateway } from '../kit/gateway.ts'
import { type Switches, startOldService } from '../kit/old-service.ts'
import { startServe } from '../kit/served.ts'
import { test } from '../kit/test.ts'
import type { Workplace } from '../kit/workplace.ts'

/** Of the login, of a header and of the User-Agent, and their encodings. */
const secrets = ['zq7user', 'zq7p@ss', 'zq7p%40ss', 'zq7-key', 'zq7-agent', btoa('zq7user:zq7p@ss')]
const login = 'zq7user:zq7p%40ss@'
const key = 'X-Key: zq7-key "a"; b, c: d'
const front: Switches = { login: 'zq7user:zq7p@ss', wants: key }
const flags = ['--header', key, '--user-agent', 'zq7-agent/1.0']
const log = '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=2\n/?Event=AppLookup&Apps=1\n'
const withLogin = (url: string, as = login) => url.replace('//', `//${as}`)

function expectHidden(shown: string, what: string): void {
  expect(shown, what).not.toBe('')
  for (const secret of secrets) expect(shown, what).not.toContain(secret)
}

/** The files that a command has written. */
function expectFilesHidden({ path }: Workplace, ...expected: readonly string[]): void {
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining([...expected]))
  for (const { name } of files) expectHidden(`-${readFileSync(join(path, name), 'latin1')}`, name)
}

async function startOld(switches: Switches = front) {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  return old
}

const run = (place: Workplace, args: readonly string[], env = {}) =>
  place.run(args, { env, clock: createEagerClock() })

test('probe', async ({ place }) => {
  const old = await startOld({ ...front, gzip: true })
  const args = ['probe', withLogin(old.url), ...flags, '--write', 'old.json']
  const { status, stdout, stderr } = await run(place, args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining(`Probing ${old.url}:`) })
  expect(stdout).toContain(`old service  ${old.url}\n`)
  expect(stdout).toContain('The old service compresses responses (gzip) although no request asks for it.')
  expectHidden(stdout + stderr, 'probe')
  expectFilesHidden(place, 'old.json')
  const refused = await run(place, ['probe', old.url, ...flags])
  expect(refused.stderr).toContain('It responds with status 401. Add a login to the address ')
  expectHidden(refused.stderr, 'refused probe')
})

test('replay: the gateway gets no secret, and another login resumes the state', async ({ place }) => {
  const old = await startOld({ ...front, gzip: true })
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  const sent: object[] = []
  const between = await startAnswering(async ({ url, headers }, response) => {
    sent.push(headers)
    response.end(await (await fetch(`${gateway.url}${url}`)).text())
  })
  onTestFinished(between.close)
  place.write('access.log', log)
  const replay = (oldUrl: string, newUrl: string, ...more: string[]) =>
    run(place, ['replay', 'access.log', '--old', oldUrl, '--new', newUrl, '--json', 'r.json', ...more])
  const first = await replay(withLogin(old.url), between.url, ...flags, '--limit', '1', '--html', 'r.html')
  expectHidden(first.stdout + first.stderr, 'replay')
  expect(first.stdout).toContain(`old service  ${old.url}\nnew service  ${between.url}\n`)
  expectFilesHidden(place, 'lookup-replay.state', 'r.json', 'r.html')
  expect(sent.at(-1)).toEqual({
    host: new URL(between.url).host,
    connection: 'keep-alive',
    'user-agent': expect.stringMatching(/^lookup-service\//),
  })

  // Another login, no headers, and a login of the gateway's own.
  old.switchTo({ login: 'you:zq7p@ss' })
  const second = await replay(withLogin(old.url, 'you:zq7p%40ss@'), withLogin(between.url, 'gate:way@'))
  expect(second).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/The responses to all 3 distinct requests mean the same\.\n$/),
    stderr: expect.stringContaining('Resuming from lookup-replay.state'),
  })
  expect(sent.at(-1)).toMatchObject({ authorization: `Basic ${btoa('gate:way')}` })
  expect(second.stdout + second.stderr).not.toMatch(/you|gate:/)
})

test('import: another login resumes the state', async ({ place }) => {
  const old = await startOld({ ...front, broken: 3 })
  const copy = (url: string, ...more: readonly string[]) =>
    run(
      place,
      ['import', 'users', url, '--ids', '1-4', '--database', 'sqlite:lookup.db', ...more],
      // Headers of another service, which this one does not get.
      { DATABASE_MAX_VALUES: '1', DATABASE_URL: 'http://other.example/', DATABASE_HEADERS: key },
    )
  const first = await copy(withLogin(old.url), ...flags)
  expect(first.stderr).toContain(`Copying users from ${old.url}: 4 ids`)
  expectHidden(first.stdout + first.stderr, 'import')
  expectFilesHidden(place, 'lookup-import-users.state')

  old.switchTo({ login: 'you:zq7p@ss' })
  expect(await copy(withLogin(old.url, 'you:zq7p%40ss@'))).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Imported 4 users/),
    stderr: expect.stringContaining('Resuming from lookup-import-users.state: 2 ids are done.'),
  })
})

test.for([
  ['that works', front],
  ['that has moved', { ...front, movedTo: 'https://me:zq7p%40ss@new.example/zq7-?zq7p@ss' }],
] as const)('a gateway over a service %s, and beside it', async ([, switches], { place }) => {
  const old = await startOld(switches)
  place.write('headers', `${key}\nUser-Agent: zq7-agent\n`)
  const env = {
    ...{ LOG_LEVEL: 'debug', LOG_SAMPLE: '1', SHADOW_SAMPLE: '1', SHADOW_URL: withLogin(old.url) },
    ...{ DATABASE_URL: withLogin(old.url), DATABASE_HEADERS_FILE: join(place.path, 'headers') },
    SHADOW_HEADERS: `${key}\\nUser-Agent: zq7-agent`,
  }
  const { stdout } = await run(place, ['serve', '--print-config'], env)
  expect(stdout).toMatch(/^DATABASE_URL=http:\/\/\*\*\*@127\.0\.0\.1:\d+\/ +# environment$/m)
  expect(stdout).toMatch(/^DATABASE_HEADERS=\*\*\* +# DATABASE_HEADERS_FILE=.+$/m)
  expect(stdout).toMatch(/^SHADOW_HEADERS=\*\*\* +# environment$/m)
  expectHidden(stdout, '--print-config')

  const { shown, url, admin, log: logged, stop } = await startServe(env, place.path)
  onTestFinished(stop)
  expect(shown.Data).toContain(`the old service at ${old.url}`)
  expect(shown.Compared).toContain(`with ${old.url}:`)
  const texts = [JSON.stringify(shown)]
  for (const address of [
    ...[`${url}/?Event=ProfileLookup&Users=1`, `${url}/explain?Event=ProfileLookup&Users=1`],
    ...[`${url}/graphql?query={users(values:["1"]){username}}`, `${admin}/ready`],
  ])
    texts.push(await (await fetch(address)).text())
  if (switches === front) expect(texts[1]).toContain('"Username":"Ada"')
  const metrics = async () => (await fetch(`${admin}/metrics`)).text()
  await expect
    .poll(metrics)
    .toMatch(
      switches === front
        ? /comparisons_total\{result="bytes",answered_by="new"\} 1/
        : /store_failures_total.* [1-9]/,
    )
  await stop()
  expectHidden(texts.join('\n') + JSON.stringify(logged()), 'gateway')
  if ('movedTo' in switches)
    expect(JSON.stringify(logged())).toContain('it redirects to https://new.example/zq7-: use that')
})

test.for(['probe', 'replay', 'import'] as const)(
  '%s of a service that has moved',
  async (command, { place }) => {
    const old = await startOld({ movedTo: '/new/lookup.php' })
    place.write('access.log', log)
    const args = {
      probe: [withLogin(old.url)],
      replay: ['access.log', '--new', `${old.url}beside`, '--old', withLogin(old.url)],
      import: ['users', withLogin(old.url), '--ids', '1-9', '--database', 'sqlite:x.db'],
    }
    const clock = createEagerClock()
    const { status, stdout, stderr } = await place.run([command, ...args[command]], { clock })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/redirects to http:\/\/127\.0\.0\.1:\d+\/new\/lookup\.php: use that address/)
    expectHidden(stderr, command)
    // No retry, and no state that the next command, with that address, does not match.
    expect(clock.waited.filter((wait) => wait >= 1_000)).toEqual([])
    expect(readdirSync(place.path).filter((name) => name.includes('.state'))).toEqual([])
  },
)

test.for([
  [['--header', 'Connection: zq7-key'], '--header 1 is Connection, which only this program may set'],
  [
    ['--header', 'User-Agent: a', '--user-agent', 'zq7-key'],
    '--user-agent has the same name as another one.',
  ],
  [['--user-agent', 'zq7-key\n'], '--user-agent has no value, or a character that no header carries.'],
  [['--header', 'Authorization: zq7-key'], 'the address has a login, and --header gives an Authorization.'],
  [['--headers=zq7-key'], "unknown option '--headers=***'"],
] as const)('%j is refused, and not shown', async ([more, problem], { place }) => {
  const url = 'http://zq7user:zq7p%40ss@old.example/'
  for (const command of [
    ['probe', url],
    ['replay', 'access.log', '--old', url, '--new', 'http://new.example/'],
    ['import', 'users', url, '--ids', '1'],
  ]) {
    const { status, stdout, stderr } = await place.run([...command, ...more])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`error: ${problem}`)
    expectHidden(stderr, command[0] ?? '')
  }
})
