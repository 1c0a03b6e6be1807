// A real systemd verifies the unit, and runs it with all that the unit forbids. What cannot be shown here is
// in docs/deploy.md.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPage } from '../kit/documentation.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { freePort } from '../kit/postgres/server.ts'
import { canMount, need } from '../kit/programs.ts'
import { test as withPlace } from '../kit/test.ts'
import { ask } from '../legacy/support/ask.ts'
import { bootSystemd, type Systemd, unit } from './systemd.ts'

need('systemd-analyze')

describe('systemd-analyze', () => {
  withPlace.for([
    ['verify has nothing to say', ['verify', '--man=no']],
    ['security: the exposure is 1.5 of 10 at most', ['security', '--offline=true', '--threshold=15']],
  ] as const)('%s', ([, args], { place }) => {
    // Node need not be at the path of the unit; systemd looks for it.
    place.write('lookup.service', unit.replace('/usr/bin/node', process.execPath))
    const file = join(place.path, 'lookup.service')
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, '--no-pager', file], {
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)
    if (args[0] === 'verify') expect(stdout + stderr).toBe('')
  })
})

/** The commands of the page, which operators copy. */
const page = readPage('docs/deploy.md')
const commands = /^### Fill an SQLite database\n.*?```sh\n(.*?)```/ms.exec(page)?.[1] ?? ''

describe.skipIf(!canMount())('the unit', { timeout: 120_000 }, () => {
  const { path: folder, remove } = temporaryFolder()
  let systemd: Systemd
  let address = ''
  let admin = ''
  beforeAll(async () => {
    const [port, adminPort] = [await freePort(), await freePort()]
    address = `http://127.0.0.1:${port}`
    admin = `http://127.0.0.1:${adminPort}`
    const etc = {
      'database-url': 'sqlite:/var/lib/lookup/lookup.db\n',
      'lookup.env': `PORT=${port}\nADMIN_PORT=${adminPort}\nWORKERS=2\n`,
    }
    systemd = await bootSystemd({ folder, etc })
  })
  afterAll(async () => {
    await systemd.close()
    remove()
  })

  const property = async (name: string) =>
    (await systemd.run('systemctl', 'show', '--value', '-p', name, 'lookup.service')).trim()
  const log = () => systemd.run('cat', '/run/log')
  const body = async () => (await ask(address, '/?Event=ProfileLookup&Users=1')).body
  const statusOfReady = async () => (await fetch(`${admin}/ready`).catch(() => null))?.status
  const ready = () => expect.poll(statusOfReady, { timeout: 60_000 }).toBe(200)

  test('tries again until there is a database', async () => {
    await expect.poll(log).toContain('There is no database /var/lib/lookup/lookup.db.')
    await expect.poll(() => property('NRestarts')).toMatch(/^[1-9]/)
    // Where users.jsonl and apps.jsonl are, and with the Node that is not at /usr/bin/node here.
    const here = commands.replaceAll('sudo /opt/lookup', '/opt/node /opt/lookup').replaceAll('sudo ', '')
    await systemd.run('sh', '-ec', `cd /opt/repository/src/data/sample\n${here}`)
    await ready()
    expect(await body()).toMatch(/^\{"1":\{"Id":1,/)
  })

  test('serves without rights, as a user of its own', async () => {
    const status = await systemd.run('cat', `/proc/${await property('MainPID')}/status`)
    expect(status).toMatch(/^CapEff:\t0{16}$/m)
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
    expect(status).not.toMatch(/^Uid:.*\t0\b/m)
    const limits = await systemd.run('cat', `/proc/${await property('MainPID')}/limits`)
    expect(limits).toMatch(/^Max open files +16384 /m)
  })

  test('its credential is for nobody else', async () => {
    const file = '/run/credentials/lookup.service/database-url'
    const other = ['setpriv', '--reuid=nobody', '--clear-groups', 'cat', file] as const
    await expect(systemd.run(...other)).rejects.toThrow('Permission denied')
  })

  test('reload replaces the workers', async () => {
    const before = await property('MainPID')
    await systemd.run('systemctl', 'reload', 'lookup.service')
    await expect.poll(log).toContain('"type":"restarted"')
    expect(await property('MainPID')).toBe(before)
    expect(await body()).toMatch(/^\{"1":/)
  })

  test('a process that is killed is started again', async () => {
    const before = Number(await property('MainPID'))
    expect(before).toBeGreaterThan(1)
    await systemd.run('kill', '-KILL', String(before))
    await expect.poll(async () => Number(await property('MainPID'))).not.toBe(before)
    await ready()
    expect(await body()).toMatch(/^\{"1":/)
  })

  test('stops in good order', async () => {
    await systemd.run('systemctl', 'stop', 'lookup.service')
    expect(await property('ActiveState')).toBe('inactive')
    expect(await property('Result')).toBe('success')
  })

  test('is not started again with a wrong setting, and runs once that is corrected', async () => {
    const file = '/etc/lookup/lookup.env'
    await systemd.run('sh', '-ec', `cp ${file} /run/right.env; echo LOG_LEVEL=loud >> ${file}`)
    await systemd.run('systemctl', 'start', 'lookup.service')
    await expect.poll(() => property('ActiveState')).toBe('failed')
    expect([await property('ExecMainStatus'), await property('NRestarts')]).toEqual(['2', '0'])
    expect(await log()).toContain('LOG_LEVEL')
    await systemd.run('cp', '/run/right.env', file)
    await systemd.run('systemctl', 'start', 'lookup.service')
    await ready()
  })
})
