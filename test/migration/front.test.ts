// The commands, and a gateway, before an old service that stands behind a login and a firewall: they get
// through, and what lets them through is shown and kept nowhere.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startAnswering, userOf } from '../kit/answering.ts'
import { startGateway } from '../kit/gateway.ts'
import { hasProgram } from '../kit/programs.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'
import { type OldService, type Switches, startOldService } from '../old-service/start.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

/** Of the login, of a header and of the User-Agent, and what they become. */
const secrets = ['zq7user', 'zq7p@ss', 'zq7p%40ss', 'zq7-key', 'zq7-agent', btoa('zq7user:zq7p@ss')]
const login = 'zq7user:zq7p%40ss@'
const front: Switches = { login: 'zq7user:zq7p@ss', wants: 'X-Key: zq7-key "a"; b, c: d' }
const key = 'X-Key: zq7-key "a"; b, c: d'
const flags = ['--header', key, '--user-agent', 'zq7-agent/1.0', '--rate', '1000']
const withLogin = (url: string, as = login) => url.replace('//', `//${as}`)

function expectHidden(shown: string, what: string): void {
  expect(shown, what).not.toBe('')
  for (const secret of secrets) expect(shown, what).not.toContain(secret)
}

/** The files that a command has written. */
function expectFilesHidden(...expected: readonly string[]): void {
  const files = readdirSync(place.path, { withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining([...expected]))
  for (const { name } of files) expectHidden(`-${readFileSync(join(place.path, name), 'latin1')}`, name)
}

async function startOld(switches: Switches = front): Promise<OldService> {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  return old
}
const log = '/?Event=ProfileLookup&Users=1\n/?Event=ProfileLookup&Users=2\n/?Event=AppLookup&Apps=1\n'

describe.skipIf(!hasProgram('php'))('PHP behind a login and a firewall', () => {
  test('probe', async () => {
    const old = await startOld({ ...front, gzip: true })
    const args = [...flags, '--write', 'settings.env']
    const { status, stdout, stderr } = await place.run(['probe', withLogin(old.url), ...args])
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining(`Probing ${old.url}:`) })
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`# Old service: ${old.url}. `),
        '# The old service compresses responses (gzip) although no request asks for it. The gateway compresses only on request.',
        '#',
      ]),
    )
    expect(stdout).toMatch(/^# form of JSON +one line, .*é as \\u00e9 +same$/m)
    expectHidden(stdout + stderr, 'probe')
    expectFilesHidden('settings.env')
    for (const [url, more, problem] of [
      [old.url, flags, 'It responds with status 401. Add a login to the address '],
      [withLogin(old.url), flags.slice(2), 'It responds with status 403. Add a login to the address '],
    ] as const) {
      const refused = await place.run(['probe', url, ...more])
      expect(refused.stderr).toContain(problem)
      expectHidden(refused.stderr, problem)
    }
  })

  test('replay, whose gateway gets none of it, and whose state is that of the address', async () => {
    const old = await startOld({ ...front, gzip: true })
    const gateway = await startGateway()
    onTestFinished(gateway.close)
    let asked: object = {}
    const between = await startAnswering(async ({ url, headers }, response) => {
      asked = headers
      const answer = await fetch(`${gateway.url}${url}`)
      response.setHeader('Content-Type', answer.headers.get('content-type') ?? '')
      response.end(await answer.text())
    })
    onTestFinished(between.close)
    place.write('access.log', log)
    const replay = (oldUrl: string, newUrl: string, ...more: string[]) =>
      place.run([
        ...['replay', 'access.log', '--old', oldUrl, '--new', newUrl, '--json', 'r.json', '--html', 'r.html'],
        ...more,
      ])
    const first = await replay(withLogin(old.url), between.url, ...flags, '--limit', '1')
    expectHidden(first.stdout + first.stderr, 'replay')
    expect(first.stdout).toContain(`old  ${old.url}\nnew  ${between.url}\n`)
    expectFilesHidden('lookup-replay.state', 'r.json', 'r.html')
    expect(asked).toEqual({
      host: new URL(between.url).host,
      connection: 'keep-alive',
      'user-agent': expect.stringMatching(/^lookup-service\//),
    })

    // Another login, and other headers; and a login of the gateway's own.
    old.switchTo({ login: 'you:zq7p@ss' })
    const own = withLogin(between.url, 'gate:way@')
    const second = await replay(withLogin(old.url, 'you:zq7p%40ss@'), own, '--rate', '1000')
    expect(second).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/The responses to all 3 distinct requests mean the same\.\n$/),
      stderr: expect.stringContaining('Resuming from lookup-replay.state'),
    })
    expect(second.stdout).toMatch(/^same bytes +3 +100\.00 %$/m)
    expect(asked).toMatchObject({ authorization: `Basic ${btoa('gate:way')}` })
    expect(second.stdout + second.stderr).not.toMatch(/you|gate:/)
  })

  test('import, whose state is that of the address', async () => {
    const old = await startOld({ ...front, broken: 3 })
    const copy = (url: string, ...more: readonly string[]) =>
      place.run(
        ['import', 'users', url, '--ids', '1-4', '--database', 'sqlite:lookup.db', '--rate', '1000', ...more],
        // Headers of another service, which this one does not get.
        { env: { DATABASE_MAX_VALUES: '1', DATABASE_URL: 'http://other.example/', DATABASE_HEADERS: key } },
      )
    const first = await copy(withLogin(old.url), ...flags)
    expect(first.stderr).toContain(`Copying users from ${old.url}: 4 ids`)
    expect(first.stderr).toContain('To resume, run the same command again')
    expectHidden(first.stdout + first.stderr, 'import')
    expectFilesHidden(...['', '.rows', '.skipped'].map((end) => `lookup-import-users.state${end}`))

    old.switchTo({ login: 'you:zq7p@ss' })
    expect(await copy(withLogin(old.url, 'you:zq7p%40ss@'))).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^Imported 4 users/),
      stderr: expect.stringContaining('Resuming from lookup-import-users.state: 2 ids are done.'),
    })
    old.switchTo(front)
    const without = await copy(withLogin(old.url), '--state', 'other.state', '--ids', '9')
    expect(without.stderr).toContain(
      'Import failed: the old service answers with status 403. Nothing was changed. Add a login to the address ',
    )
  })

  test.for([
    ['well', front],
    ['with another login than it wants', { ...front, login: 'zq7user:other' }],
    ['failing', { ...front, failing: true }],
    ['moved', { ...front, movedTo: 'https://me:zq7p%40ss@new.example/zq7-?zq7p@ss' }],
  ] as const)('a gateway over it, and beside it: %s', async ([, switches]) => {
    const old = await startOld(switches)
    place.write('headers', `${key}\nUser-Agent: zq7-agent\n`)
    const env = {
      ...{ LOG_LEVEL: 'debug', LOG_SAMPLE: '1', SHADOW_SAMPLE: '1' },
      ...{ DATABASE_URL: withLogin(old.url), DATABASE_HEADERS_FILE: 'headers' },
      ...{ SHADOW_URL: withLogin(old.url), SHADOW_HEADERS: `${key}\\nUser-Agent: zq7-agent` },
    }
    const { stdout } = await place.run(['serve', '--print-config'], { env })
    expect(stdout).toMatch(/^DATABASE_URL=http:\/\/\*\*\*@127\.0\.0\.1:\d+\/ +# environment$/m)
    expect(stdout).toMatch(/^DATABASE_HEADERS=\*\*\* +# DATABASE_HEADERS_FILE$/m)
    expect(stdout).toMatch(/^SHADOW_HEADERS=\*\*\* +# environment$/m)
    expectHidden(stdout, '--print-config')

    const { shown, stop } = await serve({ cwd: place.path, env })
    const problem = ': a lookup failed ("store-failed" in the log). Check DATABASE_URL and the old service.'
    expect(shown.Data).toBe(`the old service at ${old.url}${switches === front ? '' : problem}`)
    expect(shown.Compared).toContain(`with ${old.url}:`)
    const url = originOf(shown['Legacy JSON'])
    const admin = originOf(shown.Readiness)
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
      .toMatch(switches === front ? /comparisons_total\{result="bytes"\} 1/ : /store_failures_total.* [1-9]/)
    const { stderr } = await stop()
    expectHidden(texts.join('\n') + stderr, 'gateway')
    if ('movedTo' in switches) expect(stderr).toContain('it redirects to https://new.example/zq7-: use that')
  })

  test.for(['probe', 'replay', 'import'])('%s of one that has moved says where to', async (command) => {
    const old = await startOld({ movedTo: '/new/lookup.php' })
    place.write('access.log', log)
    const gateway = await startGateway()
    onTestFinished(gateway.close)
    const args: Readonly<Record<string, readonly string[]>> = {
      probe: [withLogin(old.url)],
      replay: ['access.log', '--new', gateway.url, '--old', withLogin(old.url)],
      import: ['users', withLogin(old.url), '--ids', '1-9', '--database', 'sqlite:x.db'],
    }
    const started = performance.now()
    const { status, stdout, stderr } = await place.run([command, ...(args[command] ?? [])])
    // It is no use to ask again.
    expect(performance.now() - started).toBeLessThan(10_000)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /redirects to http:\/\/127\.0\.0\.1:\d+\/new\/lookup\.php: use that address\.( Nothing was (?:changed|compared)\.)?\n$/,
    )
    expectHidden(stderr, command)
    // The next command, with that address, is not told of a state of another one.
    expect(readdirSync(place.path).filter((name) => name.includes('.state'))).toEqual([])
  })
})

test('a replay of which some requests are redirected is one that goes on', async () => {
  const answer = (id: string) => JSON.stringify({ [id]: userOf(id) })
  const [old, fresh] = await Promise.all(
    [true, false].map((moves) =>
      startAnswering(({ url = '' }, response) => {
        const id = new URL(url, 'http://x').searchParams.get('Users') ?? ''
        if (moves && id === '2') response.writeHead(302, { Location: '/home' })
        response.end(answer(id))
      }),
    ),
  )
  onTestFinished(() => old?.close())
  onTestFinished(() => fresh?.close())
  place.write('access.log', log.replace('AppLookup&Apps', 'ProfileLookup&Users').replace('=1\n', '=3\n'))
  const args = ['--old', old?.url ?? '', '--new', fresh?.url ?? '']
  const { status, stdout } = await place.run(['replay', 'access.log', ...args])
  expect(status).toBe(1)
  expect(stdout).toContain(
    `1 not compared: the old service: it redirects to ${old?.url}home: use that address`,
  )
  expect(stdout).toMatch(/^same bytes +2 /m)
})

test.for([
  [
    ['--header', 'Connection: zq7-key'],
    '--header 1 is Connection, which only this program may set: remove it.',
  ],
  [['--header', 'A: b', '--header', 'zq7-key'], '--header 2 is not of the form "Name: value".'],
  [['--header', 'A: zq7-key', '--header', 'a: zq7-key'], '--header 2 has the same name as another one.'],
  [
    ['--header', 'User-Agent: a', '--user-agent', 'zq7-key'],
    '--user-agent has the same name as another one.',
  ],
  [['--user-agent', 'zq7-key\n'], '--user-agent has a character that no header carries: '],
  [['--user-agent', ''], '--user-agent has no value.'],
  [['--header', 'Authorization: zq7-key'], 'the address has a login, and --header gives an Authorization.'],
  [['--headers=zq7-key'], "unknown option '--headers=***'"],
  [['--header=zq7-key'], '--header 1 is not of the form "Name: value".'],
] as const)('%j is refused, and not shown', async ([more, problem]) => {
  place.write('access.log', log)
  const url = 'http://zq7user:zq7p%40ss@127.0.0.1:1/'
  for (const command of [
    ['probe', url],
    ['replay', 'access.log', '--old', url, '--new', 'http://127.0.0.1:1/'],
    ['import', 'users', url, '--ids', '1'],
  ]) {
    const { status, stdout, stderr } = await place.run([...command, ...more])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`error: ${problem}`)
    expectHidden(stderr, command[0] ?? '')
  }
})
