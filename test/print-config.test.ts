import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settings } from '../src/settings.ts'
import { makeWorkplace, type Workplace } from './support/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

describe('serve --print-config', () => {
  const print = (env: Readonly<Record<string, string>> = {}, ...flags: string[]) =>
    place.run(['serve', '--print-config', ...flags], { env })

  test('shows every setting and where it comes from, and serves nothing', async () => {
    place.write('.env', 'HOST=::1\nPORT=1\nADMIN_PORT=2\n')
    const { status, stdout, stderr } = await print({ PORT: '3', ADMIN_PORT: '' }, '--port', '4')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^(\w+)=(.*?) +# (.*)$/.exec(line)?.slice(1) ?? line)
    const expected = Object.entries(settings).map(([name, { default: value }]) => [
      name,
      value ?? '',
      'default',
    ])
    const rest = expected.filter(([name]) => !['PORT', 'HOST', 'ADMIN_PORT'].includes(String(name)))
    expect(lines).toEqual(expect.arrayContaining(rest))
    expect(lines).toEqual(
      expect.arrayContaining([
        ['PORT', '4', 'flag'],
        ['HOST', '::1', '.env'],
        ['ADMIN_PORT', '2', '.env'],
      ]),
    )
    expect(lines).toHaveLength(expected.length)
  })

  test('hides secrets', async () => {
    const { status, stdout } = await print({ LEGACY_SUNSET_LINK: 'https://me:secret@old.example/' })
    expect(status).toBe(0)
    expect(stdout).toContain('LEGACY_SUNSET_LINK=https://***@old.example/')
    expect(stdout).not.toMatch(/\bme\b|secret/)
  })

  test('reports bad settings instead', async () => {
    const { status, stdout, stderr } = await print({ PORT: 'x', DATABASE_URL: 'oracle://me:secret@db/x' })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).not.toContain('secret')
  })
})
