// How headers and logins for an old service are written, and which are refused, without showing them.

import { describe, expect, test } from 'vitest'
import { linesOf, parseServiceUrl, readHeaders, withLogin } from '../../src/config/old-service.ts'

const read = (text: string) => readHeaders(linesOf(text))
const problemOf = (lines: readonly string[]) => {
  const headers = readHeaders(lines)
  return typeof headers === 'string' ? headers : null
}

describe('several headers in one text', () => {
  const both = { Cookie: 'a="1"; b=2, c:d', 'X-Tenant': "it's" }

  test.for([
    ['one per line', 'Cookie: a="1"; b=2, c:d\nX-Tenant: it\'s'],
    ['lines of Windows, and empty ones', '\r\nCookie: a="1"; b=2, c:d\r\n\r\nX-Tenant: it\'s\r\n'],
    ['on one line', 'Cookie: a="1"; b=2, c:d\\nX-Tenant: it\'s'],
    ['without white space', 'Cookie:a="1"; b=2, c:d\\nX-Tenant:it\'s'],
  ] as const)('%s', ([, text]) => {
    expect(read(text)).toEqual(both)
  })

  test('a backslash and an n within a value', () => {
    expect(read('X-User: CORP\\nina')).toEqual({ 'X-User': 'CORP\\nina' })
    // What looks like a name behind it is one, unless there is a line break.
    expect(read('X-User: CORP\\nina:x')).toEqual({ 'X-User': 'CORP', ina: 'x' })
    expect(read('X-User: CORP\\nina:x\n')).toEqual({ 'X-User': 'CORP\\nina:x' })
  })
})

test.for([
  ...['secret', ': secret', 'X Key: secret', 'X-Key : secret', ' folded: secret', ':authority: secret'],
  ...['X-Kéy: secret', 'X-Key: \t '],
  ...['a\nb: secret', 'a\rsecret', 'a\0secret', 'a\x7fsecret', '€secret', 'a\x1bsecret'].map(
    (value) => `X-Key: ${value}`,
  ),
  ...['Connection', 'Keep-Alive', 'Proxy-Connection', 'Upgrade', 'HTTP2-Settings', 'TE', 'Trailer'],
  ...['Transfer-Encoding', 'Content-Length', 'Content-Encoding', 'Expect', 'Accept-Encoding'],
])('%j is refused, without its value', (text) => {
  const problem = problemOf([text.includes(':') || text === 'secret' ? text : `${text.toLowerCase()}:secret`])
  expect(problem).toMatch(/^header 1 (?:is|has) /)
  expect(problem).not.toContain('secret')
})

test('the same name twice, in any case', () => {
  expect(problemOf(['X-Key: a', 'Host: b', 'x-kEY: secret'])).toBe(
    'header 3 has the same name as another one',
  )
})

test('32 headers and 6 KiB are not too much, and more is', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: a`)
  expect(problemOf(lines(32))).toBeNull()
  expect(problemOf(lines(33))).toBe('there are more than 32 headers')
  expect(problemOf([`A: ${'b'.repeat(6 * 1024 - 3)}`])).toBeNull()
  expect(problemOf([`A: ${'b'.repeat(6 * 1024 - 2)}`])).toBe('the headers have more than 6 KiB')
})

test('what is allowed: Host, Cookie, Authorization, User-Agent, every token, tabs and Latin-1', () => {
  const headers = { Host: 'a.example:81', Cookie: 'a=b', Authorization: 'Bearer c', 'User-Agent': 'é/1\t2' }
  expect(readHeaders(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))).toEqual(headers)
  expect(read("!#$%&'*+-.^_`|~09azAZ: x")).toEqual({ "!#$%&'*+-.^_`|~09azAZ": 'x' })
  expect(read('__proto__: x\nconstructor: y')).toEqual(
    Object.fromEntries([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]),
  )
})

describe('the login in an address', () => {
  const credentialsOf = (url: string) => {
    const authorization = parseServiceUrl(url)?.authorization ?? ''
    return authorization && Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  }

  test.for([
    ['https://me:secret@old.example/a', 'me:secret'],
    ['https://me@old.example/', 'me:'],
    ['https://me:@old.example', 'me:'],
    ['https://:secret@old.example', ':secret'],
    ['https://me:a:b@old.example/', 'me:a:b'],
    ['https://j%C3%BCrgen:p%40ss%2Fw%3Ard%25@old.example:8443/a/b.php', 'jürgen:p@ss/w:rd%'],
    ['http://jürgen:€@[::1]:80/', 'jürgen:€'],
    ['http://me:a\\b@old.example/', 'me:a\\b'],
  ] as const)('%s', ([url, credentials]) => {
    expect(credentialsOf(url)).toBe(credentials)
    expect(parseServiceUrl(url)?.url).toBe(url.replace(/\/\/.*@/, '//'))
  })

  test.for([
    ...['https://@old.example/', 'https://:@old.example/', 'https://me:secret@old.example/a@b'],
    ...['%3Ayou:secret', ':se%zzcret', ':%ff', ':secret%0d%0aX:1', ':secret%00', ':sec/ret', ':sec?ret'].map(
      (login) => `https://me${login}@old.example/`,
    ),
    ...[':sec#ret', ':sec ret', ':sec@ret'].map((login) => `https://me${login}@old.example/`),
    'https://me:secret@',
    `https://me:${'x'.repeat(1_024)}@old.example/`,
  ])('%s is none', (url) => {
    expect(parseServiceUrl(url)).toBeUndefined()
  })

  test('is an Authorization, unless there is another one', () => {
    expect(withLogin({ A: 'b' }, null)).toEqual({ A: 'b' })
    expect(withLogin({ A: 'b' }, 'Basic x')).toEqual({ A: 'b', Authorization: 'Basic x' })
    expect(withLogin({ authorization: 'b' }, 'Basic x')).toBeNull()
  })
})
