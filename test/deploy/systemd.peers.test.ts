// The unit of systemd, as systemd reads it, and as the gateway's own settings have it.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { hasProgram } from '../kit/programs.ts'
import { startFlags } from '../kit/start-flags.ts'
import { unit } from './systemd.ts'

const { path: folder, remove } = temporaryFolder()
afterAll(remove)

function analyze(...args: readonly string[]) {
  const file = join(folder, 'lookup.service')
  // Node need not be where the unit has it; systemd looks for it.
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, '--no-pager', file], {
    encoding: 'utf8',
  })
  return { status, printed: stdout + stderr }
}

describe.skipIf(!hasProgram('systemd-analyze'))('systemd-analyze', () => {
  test('verify has nothing to say', () => {
    expect(analyze('verify', '--man=no')).toEqual({ status: 0, printed: '' })
  })

  test('security calls the exposure 1.5 of 10 at most', () => {
    expect(analyze('security', '--offline=true', '--threshold=15')).toMatchObject({ status: 0 })
  })
})

const values = new Map(
  unit.split('\n').flatMap((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  }),
)

test('it starts Node with the flags of npm start', () => {
  const expected = `/usr/bin/node ${startFlags.join(' ')} /opt/lookup/node_modules/.bin/lookup serve`
  expect(values.get('ExecStart')).toBe(expected)
})

test('its limits fit the defaults of the gateway', () => {
  // Connections take three quarters of the files at most.
  expect((Number(values.get('LimitNOFILE')) * 3) / 4).toBeGreaterThanOrEqual(readConfig({}).maxConnections)
  // A stop takes up to 10 s.
  expect(Number(values.get('TimeoutStopSec'))).toBeGreaterThan(10)
  const [, heap] = /--max-old-space-size=(\d+)/.exec(values.get('ExecStart') ?? '') ?? []
  expect(values.get('MemoryMax')).toBe(`${(Number(heap) * 2) / 1024}G`)
})
