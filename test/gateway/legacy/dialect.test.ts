// The contract's table "The dialect": each setting, over a real socket and in both formats.

import { afterEach, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { ask, type FormatName, inFormat } from './support/ask.ts'
import { refusalIn, usersIn } from './support/reply.ts'

let gateway: Gateway | undefined
afterEach(() => gateway?.close())

async function speak(settings: Readonly<Record<string, string>>, format: FormatName) {
  gateway = await startGateway(settings)
  const { url } = gateway
  return (query: string, method = 'GET') => ask(url, inFormat(query, format), { method })
}

/** A character for each byte of UTF-8. */
const bytes = (text: string) => Buffer.from(text).toString('latin1')

const P = 'Event=ProfileLookup'
const A = 'Event=AppLookup'
const METHOD = 'MethodOfAccessingUserInformation'

describe.each(['JSON', 'XML'] as const)('%s', (format) => {
  const isXml = format === 'XML'

  test('LEGACY_SERVICE_NAME names the root and the last app field', async () => {
    const lookUp = await speak({ LEGACY_SERVICE_NAME: 'Acme_2' }, format)
    const { body } = await lookUp(`${A}&Apps=1`)
    const link = 'https://apps.example/download/1/'
    const last = isXml
      ? `<Acme_2DownloadLink>${link}</Acme_2DownloadLink></Data></Acme_2API>\n`
      : `"Acme_2DownloadLink":"${link.replaceAll('/', '\\/')}"}}`
    expect(body.slice(-last.length)).toBe(last)
    expect(body.startsWith(isXml ? '<?xml version="1.0"?>\n<Acme_2API><Data Value="1">' : '{"1":{')).toBe(
      true,
    )
    expect(body).not.toContain('Service')
    const empty = isXml ? '<?xml version="1.0"?>\n<Acme_2API/>\n' : '{}'
    expect((await lookUp(`${A}&Apps=999`)).body).toBe(empty)
    const refused = await lookUp('Event=Nope')
    expect(refusalIn(refused, format).code).toBe('UnknownEvent')
    if (isXml) expect(refused.body).toMatch(/^<\?xml version="1\.0"\?>\n<Acme_2API>.*<\/Acme_2API>\n$/)
  })

  test('LEGACY_CHAT_METHOD is the chat method, and chat no longer is', async () => {
    const lookUp = await speak({ LEGACY_CHAT_METHOD: 'talk-2' }, format)
    expect(usersIn(await lookUp(`${P}&${METHOD}=talk-2&Users=chat-1001`), format)).toEqual(['chat-1001 → 1'])
    const refused = refusalIn(await lookUp(`${P}&${METHOD}=chat&Users=chat-1001`), format)
    expect(refused.code).toBe('UnknownMethod')
    expect(refused.message).toMatch(/id, username, talk-2/)
  })

  test('LEGACY_UNKNOWN=null shows misses at their places', async () => {
    const lookUp = await speak({ LEGACY_UNKNOWN: 'null' }, format)
    const reply = await lookUp(`${P}&Users=999:1:007:998:2`)
    expect(usersIn(reply, format)).toEqual(['999 → null', '1 → 1', '007 → 7', '998 → null', '2 → 2'])
    const missed = isXml
      ? '<?xml version="1.0"?>\n<ServiceAPI><Data Value="9"/><Data Value="08"/></ServiceAPI>\n'
      : '{"9":null,"08":null}'
    expect(await lookUp(`${A}&Apps=9:08`)).toMatchObject({ status: 200, body: missed })
    const hostile = isXml
      ? '<?xml version="1.0"?>\n<ServiceAPI><Data Value="__proto__"/><Data Value="&quot;&lt;&#9;/"/></ServiceAPI>\n'
      : '{"__proto__":null,"\\"<\\t\\/":null}'
    expect((await lookUp(`${P}&${METHOD}=username&Users=__proto__:%22%3C%09/`)).body).toBe(hostile)
  })

  test('LEGACY_MALFORMED=unknown leaves malformed identifiers out', async () => {
    const lookUp = await speak({ LEGACY_MALFORMED: 'unknown' }, format)
    const reply = await lookUp(`${P}&Users=x:1:-1:9007199254740992:%F0%9F%8C%B8:2`)
    expect(usersIn(reply, format)).toEqual(['1 → 1', '2 → 2'])
    expect(reply.status).toBe(200)
    const empty = isXml ? '<?xml version="1.0"?>\n<ServiceAPI/>\n' : '{}'
    expect(await lookUp(`${A}&Apps=x:1.5`)).toMatchObject({ status: 200, body: empty })
  })

  test('LEGACY_MALFORMED=unknown with LEGACY_UNKNOWN=null shows them', async () => {
    const lookUp = await speak({ LEGACY_MALFORMED: 'unknown', LEGACY_UNKNOWN: 'null' }, format)
    const reply = await lookUp(`${P}&Users=x:1:9007199254740993:9007199254740992`)
    const beyond = ['9007199254740993 → null', '9007199254740992 → null']
    expect(usersIn(reply, format)).toEqual(['x → null', '1 → 1', ...beyond])
  })

  test('LEGACY_MALFORMED=drop drops malformed identifiers, whatever becomes of unknown ones', async () => {
    const lookUp = await speak(
      { LEGACY_MALFORMED: 'drop', LEGACY_UNKNOWN: 'null', LEGACY_MAX_VALUES: '2' },
      format,
    )
    expect(usersIn(await lookUp(`${P}&Users=x:1:y:99:-1`), format)).toEqual(['1 → 1', '99 → null'])
    // What names are is no matter of this.
    expect(usersIn(await lookUp(`${P}&${METHOD}=username&Users=x:Ada`), format)).toEqual([
      'x → null',
      'Ada → 1',
    ])
    expect(await lookUp(`${A}&Apps=x:1.5`)).toMatchObject({
      status: 400,
      body: expect.stringContaining('MissingParameter'),
    })
    expect((await lookUp(`${P}&Users=1:2:3`)).body).toContain('TooManyValues')
  })

  test.for<[name: string, query: string, method: string, code: string]>([
    ['a fault of the query', 'Event=Nope', 'GET', 'UnknownEvent'],
    ['a query that cannot be read', '%', 'GET', 'MalformedQuery'],
    ['a method that is not allowed', `${P}&Users=1`, 'POST', 'MethodNotAllowed'],
    ['a target too long', `${P}&Users=${'1'.repeat(66_000)}`, 'GET', 'TooLongTarget'],
    ['a target far too long', `${P}&Users=${'1'.repeat(200_000)}`, 'GET', 'TooLongTarget'],
  ])('LEGACY_ERROR_STATUS=200 answers %s with 200', async ([, query, method, code], { expect }) => {
    const lookUp = await speak({ LEGACY_ERROR_STATUS: '200' }, format)
    const reply = await lookUp(query, method)
    expect(reply.status).toBe(200)
    expect(reply.body).toContain(code)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers.etag).toBeUndefined()
  })

  test('LEGACY_MAX_VALUES is the list limit', async () => {
    const lookUp = await speak({ LEGACY_MAX_VALUES: '2' }, format)
    expect(usersIn(await lookUp(`${P}&Users=1:2:1::2`), format)).toEqual(['1 → 1', '2 → 2'])
    for (const query of [`${P}&Users=1:2:3`, `${A}&Apps=1:2:3`, `${P}&${METHOD}=chat&Users=a:b:c`]) {
      const { code, message } = refusalIn(await lookUp(query), format)
      expect([code, message]).toEqual(['TooManyValues', expect.stringMatching(/\b2\b/)])
    }
  })

  test('LEGACY_MAX_VALUES may be larger than the default', async () => {
    const lookUp = await speak({ LEGACY_MAX_VALUES: '3000' }, format)
    const list = Array.from({ length: 3000 }, (_, index) => index + 1).join(':')
    expect(usersIn(await lookUp(`${P}&Users=${list}`), format)).toHaveLength(13)
  })

  test('LEGACY_MAX_AGE is the age in Cache-Control', async () => {
    const lookUp = await speak({ LEGACY_MAX_AGE: '31536000' }, format)
    expect((await lookUp(`${P}&Users=1`)).headers['cache-control']).toBe('public, max-age=31536000')
    expect((await lookUp('Event=Nope')).headers['cache-control']).toBe('no-store')
  })
})

describe('XML of another style', () => {
  const settings = {
    LEGACY_XML_STYLE: 'dom',
    LEGACY_XML_INDENT: '2',
    LEGACY_XML_FLAGS: 'cdata,open-root',
    LEGACY_XML_TYPE: 'text/xml; charset=UTF-8',
    LEGACY_UNKNOWN_XML: 'error',
    LEGACY_UNKNOWN_TEXT: 'No entry matches {value}.',
  }
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n<ServiceAPI>\n'

  test('is what answers are, at their length in bytes', async () => {
    const lookUp = await speak(settings, 'XML')
    const byName = `${P}&${METHOD}=username&Users=S%C3%98REN:%E2%82%AC`
    const { body, headers } = await lookUp(byName)
    const found = [
      '<Data Value="SØREN">',
      '  <Id>2</Id>',
      '  <Username><![CDATA[søren]]></Username>',
      '  <DisplayName><![CDATA[Søren Ærlig]]></DisplayName>',
      '  <Rank>3</Rank>',
      '  <JoinDate>1230768000</JoinDate>',
      '  <IsConfirmed>1</IsConfirmed>',
      '  <Banned/>',
      '</Data>',
      '<Data Value="€">',
      '  <Error>No entry matches €.</Error>',
      '</Data>',
    ]
    const lines = found.map((line) => `  ${line}\n`).join('')
    expect(body).toBe(bytes(`${head}${lines}</ServiceAPI>\n`))
    expect(headers).toMatchObject({
      'content-type': 'text/xml; charset=UTF-8',
      'content-length': String(body.length),
    })
    const twin = await lookUp(byName, 'HEAD')
    expect(twin).toMatchObject({ body: '', headers: { 'content-length': String(body.length) } })
    expect(twin.headers.etag).toBe(headers.etag)
  })

  test('is what refusals are', async () => {
    const lookUp = await speak(settings, 'XML')
    const { body, headers } = await lookUp('Event=%E2%82%AC%3C')
    expect(body.startsWith(`${head}  <Error>\n    <Code>UnknownEvent</Code>\n    <Message>`)).toBe(true)
    expect(body).toContain(bytes('€&lt;'))
    expect(body.endsWith('</Message>\n  </Error>\n</ServiceAPI>\n')).toBe(true)
    expect(headers['content-type']).toBe('text/xml; charset=UTF-8')
    expect((await lookUp('%')).headers['content-type']).toBe('text/xml; charset=UTF-8')
  })

  test('is of XML only', async () => {
    const lookUp = await speak(settings, 'JSON')
    const { body, headers } = await lookUp(`${P}&Users=2`)
    expect(body).toContain('"s\\u00f8ren"')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('LEGACY_UNKNOWN_XML leaves JSON as LEGACY_UNKNOWN has it', async () => {
    const misses = { LEGACY_UNKNOWN: 'null', LEGACY_UNKNOWN_XML: 'omit' }
    expect((await (await speak(misses, 'JSON'))(`${A}&Apps=999`)).body).toBe('{"999":null}')
    await gateway?.close()
    expect((await (await speak(misses, 'XML'))(`${A}&Apps=999`)).body).toBe(
      '<?xml version="1.0"?>\n<ServiceAPI/>\n',
    )
  })
})
