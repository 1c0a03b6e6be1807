// `lookup probe` of odd services: it advises nothing that it did not see.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'
import {
  type Asked,
  plainOfUsual,
  probe as probeWith,
  type Said,
  startOdd,
  usual,
  withBody,
} from './support.ts'

const json = (body: unknown, status = 200): Said => [status, 'application/json', JSON.stringify(body)]
const quota = json({ Error: 'Quota exceeded' })
const noApps = ['--apps', '', '--users', '1']
const probe = (place: Workplace, url: string, args: readonly string[] = []) =>
  probeWith(place, url, args, { env: plainOfUsual })
const isUnknown = (value: string) => !/^[1-3]$/.test(value)

describe('nothing is advised for a service that', () => {
  function changing() {
    const seen = new Set<string>()
    return (asked: Asked) => {
      const isSecond = seen.has(asked.target)
      seen.add(asked.target)
      return isSecond ? quota : usual(asked)
    }
  }
  const more = `"x":"${'x'.repeat(5_000_000)}"`
  test.for<[string, (asked: Asked) => Said, RegExp]>([
    [
      'responds differently the second time',
      changing(),
      /Its responses change: Event=ProfileLookup&Users=1 returned found, and later error, status 200\. No settings/,
    ],
    [
      'changes after 40 requests',
      (asked) => (asked.number > 40 ? quota : usual(asked)),
      /Its responses change: /,
    ],
    [
      'is two versions behind one address',
      (asked) =>
        withBody(usual(asked), (body) => (asked.number % 2 ? body : body.replace(/:(\d+)/g, ':"$1"'))),
      /Its responses change: .* returned .*, and later the same with other types or fields\./,
    ],
    [
      'ignores the query',
      () => json({ 2: userOf('2') }),
      /The response to a request for user 1 is user 2: the service, or a cache in front of it, ignores the query\./,
    ],
    [
      'sends megabytes',
      (asked) => withBody(usual(asked), (body) => body.replace(/,?\}$/, `,${more}}`)),
      /Its responses have more than 16777216 bytes in all, after \d requests\. Check that this is the address/,
    ],
  ])('%s', async ([, answer, reason], { place }) => {
    const { url } = await startOdd(answer)
    const { status, stdout, stderr } = await probe(place, url, noApps)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(reason)
  })
})

describe('a service whose', () => {
  test('values change is steady', async ({ place }) => {
    const { url } = await startOdd((asked) =>
      withBody(usual(asked), (body) =>
        body.replace(/("Rank":)0|(<Rank>)0/g, `$1$2${asked.number}`).replace('wrong', `${asked.number}`),
      ),
    )
    expect(await probe(place, url, noApps)).toMatchObject({ status: 0 })
  })

  test('ids are no numbers is asked for the ids of the command', async ({ place }) => {
    const { url } = await startOdd((asked) =>
      withBody(usual(asked), (body) => body.replace(/("Id":|<Id>)\d/g, '$11e999')),
    )
    expect((await probe(place, url, noApps)).settings).toMatchObject({ LEGACY_MAX_VALUES: '10000' })
  })

  test.for<[string, string, (target: string) => string]>([
    ['JSON', 'application/json', (target) => JSON.stringify({ Error: `You asked for ${target} {value}` })],
    [
      'a page',
      'text/html',
      (target) => `<html><body><p>${target.replaceAll('&', '&amp;')}</p></body></html>`,
    ],
  ])('errors repeat the query, in %s, has no method and no text', async ([, type, write], { place }) => {
    const { url } = await startOdd((asked) => {
      const said = usual(asked)
      const shown = decodeURIComponent(asked.target.replace(/%(?![2-7])/g, ''))
      return said[0] === 200 ? said : [400, type, write(shown)]
    })
    const { status, stdout } = await probe(place, url, noApps)
    expect(status).toBe(0)
    expect(Object.keys(parseEnv(stdout)).filter((name) => /CHAT_METHOD|ERROR_TEXTS/.test(name))).toEqual([])
  })

  test('errors have a number each has no method, unless an identifier proves it', async ({ place }) => {
    const { url } = await startOdd((asked) => {
      const method = asked.query.get('MethodOfAccessingUserInformation') ?? 'id'
      if (method === 'id') return usual(asked)
      if (method === 'talk' && asked.values.includes('c-1')) return json({ 'c-1': userOf('1') })
      return json({ error: 'Unknown method', request: asked.number })
    })
    const proven = await probe(place, url, ['--chat-methods', 'bogus', '--chats', 'c-1'])
    expect(parseEnv(proven.stdout)).toMatchObject({ LEGACY_CHAT_METHOD: 'talk' })
    const unproven = await probe(place, url, ['--chat-methods', 'bogus'])
    expect(parseEnv(unproven.stdout)).not.toHaveProperty('LEGACY_CHAT_METHOD')
  })

  test('errors have a template works as the store, and can be copied', async ({ place }) => {
    const { url } = await startOdd((asked) => {
      const said = usual(asked)
      const missing = asked.values.find((value) => !said[2].includes(`"${value}"`))
      if (said[0] === 200 && missing === undefined) return said
      const detail = said[0] === 200 ? `No user ${missing}` : `This is wrong: ${asked.query.get('Event')}`
      return json({ ok: false, detail }, said[0] === 200 ? 404 : said[0])
    })
    const { stdout, settings } = await probe(place, url, noApps)
    expect(settings).toMatchObject({
      ...{ LEGACY_UNKNOWN: 'refuse', LEGACY_ERROR_BODY: '{"ok":false,"detail":"{message}"}' },
    })
    expect(stdout).toContain('# Works as the store (DATABASE_URL): yes.\n')
    expect(stdout).toContain('# Can be copied ("lookup import"): yes.\n')
  })

  const empty = { Id: null, Username: null, DisplayName: null, Rank: null, JoinDate: null }
  test.for([
    ['an empty list', [], null, 'empty response, as \\[\\]'],
    ['fields with null', empty, '1 found, 987654321 with empty fields', '987654321 with empty fields'],
    ['an error', { Error: 'no such user' }, '1 found, 987654321 as {Error}', '987654321 as {Error}'],
  ] as const)('unknown users are %s is not said to find them', async ([, body, beside, alone], { place }) => {
    const { url } = await startOdd((asked) => {
      const unknown = asked.values.filter(isUnknown)
      if (unknown.length === 0 || asked.query.get('Event') !== 'ProfileLookup') return usual(asked)
      const known = asked.values.filter((value) => !isUnknown(value)).map((id) => [id, userOf(id)])
      const others = Array.isArray(body) ? [] : unknown.map((id) => [id, body])
      return known.length === 0 && Array.isArray(body)
        ? json(body)
        : json(Object.fromEntries([...known, ...others]))
    })
    const { status, row } = await probe(place, url)
    expect(status).toBe(0)
    const fixed = (finding: string) => new RegExp(`^${finding} .* fixed by LEGACY_\\w+`)
    if (beside !== null) expect(row('an unknown id next to a known one')).toMatch(fixed(beside))
    expect(row('only an unknown id')).toMatch(fixed(alone))
  })

  test.for<[string, Record<string, string>, (asked: Asked) => Said | null]>([
    ['hang up', {}, () => null],
    ['are empty', {}, () => [200, 'text/html', '']],
    [
      'are cut',
      { LEGACY_TOO_MANY: 'cut' },
      (asked) => usual({ ...asked, values: asked.values.slice(0, 50) }),
    ],
  ])('responses to more than 50 values %s has that limit', async ([, more, long], { place }) => {
    const { url } = await startOdd((asked, response) => {
      const said = asked.values.length > 50 ? long(asked) : usual(asked)
      if (said === null) response.destroy()
      return said
    })
    const expected = { LEGACY_MAX_VALUES: '50', DATABASE_MAX_VALUES: '50', ...more }
    expect((await probe(place, url)).settings).toMatchObject(expected)
  })

  test('values are all texts, and whose errors are HTML, is described without harm', async ({ place }) => {
    const texts = (id: string) =>
      Object.fromEntries(
        Object.entries(userOf(id)).map(([name, value]) => [name, value === false ? '' : String(value)]),
      )
    const { url } = await startOdd((asked) => {
      if (asked.query.get('Event') === 'AppLookup') return usual(asked)
      if (asked.query.get('Event') !== 'ProfileLookup')
        return [400, 'text/html', '<img src=x onerror="alert(1)">\n# X=1']
      const found = asked.values.filter((value) => !isUnknown(value))
      const body = JSON.stringify(Object.fromEntries(found.map((id) => [id, texts(id)])))
      const callback = asked.query.get('callback')
      const shown = found.length === 0 ? '[]' : callback === null ? body : `${callback}(${body})`
      return [200, 'text/html', `\ufeff${shown}`]
    })
    const { stdout } = await probe(place, url, ['--html', 'probe.html'])
    expect(stdout).toMatch(/^# {3}fields of a user: .*IsConfirmed the string "true" instead of /m)
    expect(stdout).toMatch(/^# {3}callback= \(JSONP\): .*JSONP: cb\(…\)/m)
    expect(stdout.split('# Differences in form only')[0]).toMatch(/^# {3}byte order mark: /m)
    expect(parseEnv(stdout)).not.toHaveProperty('X')
    const page = readFileSync(join(place.path, 'probe.html'), 'utf8')
    expect(page).not.toContain('<img')
    expect(page).toContain('&lt;img src=x')
  })

  test('lists are read together has no setting for repeated ones', async ({ place }) => {
    const { url } = await startOdd(({ query }) => {
      const ids = query.getAll('Users').flatMap((list) => list.split(':').filter((id) => /^[1-9]$/.test(id)))
      return json(Object.fromEntries(ids.map((id) => [id, userOf(id)])))
    })
    const { status, stdout } = await probe(place, url, noApps)
    expect(status).toBe(0)
    const expected = { LEGACY_OTHER_EVENT: 'ProfileLookup', LEGACY_OTHER_FORMAT: 'json' }
    expect(parseEnv(stdout)).toMatchObject(expected)
    expect(parseEnv(stdout)).not.toHaveProperty('LEGACY_REPEATED')
  })

  test('responses are cached for years has the longest time of the setting', async ({ place }) => {
    const { url } = await startOdd(usual, { 'Cache-Control': 'public, max-age=63072000' })
    expect((await probe(place, url)).settings).toMatchObject({ LEGACY_MAX_AGE: '31536000' })
  })

  test('forms are read has a difference: the gateway reads none', async ({ place }) => {
    const { url, asked, close } = await startAnswering(async (request, response) => {
      const sent = (await Array.fromAsync(request)).join('')
      const query = new URLSearchParams(request.method === 'POST' ? sent : request.url?.slice(2))
      const values = (query.get('Users') ?? '').split(':').filter((value) => /^[1-9]$/.test(value))
      response.end(JSON.stringify(Object.fromEntries(values.map((id) => [id, userOf(id)]))))
    })
    const { stdout } = await probe(place, url, noApps)
    close()
    expect(stdout).toMatch(/^# {3}POST: old service: answered; gateway: not answered$/m)
    expect(asked.filter((target) => target === '/')).toHaveLength(1)
  })
})
