// `lookup probe` of services that nobody would write: it ends soon, says what is wrong, and advises nothing
// that it did not see.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { leavesOf } from '../../../src/migration/probe/likeness.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { makeWorkplace, type Workplace } from '../../kit/workplace.ts'

describe('lookup probe of odd services', () => {
  let place: Workplace
  beforeEach(() => {
    place = makeWorkplace()
  })
  afterEach(() => place.remove())

  interface Asked {
    readonly query: URLSearchParams
    readonly target: string
    /** Which request it is, from 1 on. */
    readonly number: number
  }

  type Said = readonly [status: number, type: string, body: string]

  /** One that has users 1 to 3, and knows ids, usernames and chat identifiers, of which there are none. */
  function usual({ query }: Asked): Said {
    const method = query.get('MethodOfAccessingUserInformation') ?? 'id'
    const isUsers = query.get('Event') === 'ProfileLookup'
    if (!isUsers || !['id', 'username', 'chat'].includes(method) || !query.get('Users'))
      return [400, 'application/json', '{"Error":"This is wrong"}']
    const values = [...new Set((query.get('Users') ?? '').split(':'))]
    const idOf = (value: string) =>
      method === 'username' ? /^u([1-3])$/i.exec(value)?.[1] : method === 'id' ? value : undefined
    const found = values.flatMap((value) => {
      const id = idOf(value) ?? ''
      return /^[1-3]$/.test(id) ? [[value, userOf(id)] as const] : []
    })
    if (query.get('Format') !== 'XML')
      return [200, 'application/json', JSON.stringify(Object.fromEntries(found))]
    const entries = found.map(([value, user]) => {
      const fields = Object.entries({ ...user, IsConfirmed: 1, Banned: '' })
      return `<Data Value="${value}">${fields.map(([name, text]) => `<${name}>${text}</${name}>`).join('')}</Data>`
    })
    return [200, 'text/xml', `<?xml version="1.0"?>\n<ServiceAPI>${entries.join('')}</ServiceAPI>\n`]
  }

  async function probe(answer: (asked: Asked) => Said) {
    let number = 0
    const answering = (request: IncomingMessage, response: ServerResponse) => {
      const target = request.url ?? ''
      const query = new URL(`http://x${target}`).searchParams
      const [status, type, body] = answer({ query, target, number: ++number })
      response.writeHead(status, { 'Content-Type': type }).end(body)
    }
    const { url, close } = await startAnswering(answering)
    onTestFinished(close)
    const outcome = await place.run(['probe', url, '--apps', '', '--users', '1', '--rate', '1000'])
    return { ...outcome, dialect: outcome.stdout.slice(outcome.stdout.indexOf('\n{\n')) }
  }

  const other: Said = [200, 'application/json', '{"Error":"Quota exceeded"}']
  const asTexts = ([status, type, body]: Said): Said => [status, type, body.replace(/:(\d+)/g, ':"$1"')]

  test.each<[string, (asked: Asked) => Said, reason: RegExp]>([
    [
      'answers otherwise at the second asking',
      (() => {
        const seen = new Set<string>()
        return (asked: Asked) => {
          const isSecond = seen.has(asked.target)
          seen.add(asked.target)
          return isSecond ? other : usual(asked)
        }
      })(),
      /Its responses change: Event=ProfileLookup&Users=1 was answered, 1 entry, and later .*Quota exceeded.*\. No dialect fits both\./,
    ],
    ['changes its mind', (asked) => (asked.number > 40 ? other : usual(asked)), /Its responses change: /],
    [
      'is two versions behind one address',
      (asked) => (asked.number % 2 === 0 ? asTexts(usual(asked)) : usual(asked)),
      /Its responses change: .* was .*, and later .*\./,
    ],
    [
      'answers the same whatever it is asked',
      () => [200, 'application/json', JSON.stringify({ 2: userOf('2') })],
      /The response to a request for user 1 is user 2: the service, or a cache in front of it, ignores the query\./,
    ],
    [
      'answers with megabytes',
      (asked) => {
        const [status, type, body] = usual(asked)
        const more = Array.from({ length: 400_000 }, (_, at) => `"x${at}":1`).join()
        return [status, type, status === 200 ? body.replace(/,?\}$/, `,${more}}`) : body]
      },
      /Its responses have more than 16777216 bytes in all, after \d requests\. Check that this is the address/,
    ],
  ])('nothing is advised for one that %s', async (_, answer, reason) => {
    const { status, stdout, stderr } = await probe(answer)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(reason)
  })

  test('values that change are no other answer', async () => {
    const { status, stderr } = await probe((asked) => {
      const [code, type, body] = usual(asked)
      return [
        code,
        type,
        body.replace(/("Rank":)0|(<Rank>)0/g, `$1$2${asked.number}`).replace('wrong', `${asked.number}`),
      ]
    })
    expect(status, stderr).toBe(0)
  })

  // With a quadratic parser, or a search that compares all elements each time: a minute and more.
  test.each([
    ['marks', '>'.repeat(300_000), ''],
    ['apostrophes', `${"'".repeat(300_000)}>`, ''],
    ['a comment', '', `<!--${'<Data <a <?xml <![CDATA[ '.repeat(15_000)}-->`],
    ['elements', '', '<a/>'.repeat(40_000)],
    ['too many elements', '', '<a/>'.repeat(210_000)],
  ])('XML of a megabyte in %s takes little time', { timeout: 60_000 }, async (_, text, behind) => {
    const { status, stderr } = await probe((asked) => {
      const [code, type, body] = usual(asked)
      return [
        code,
        type,
        body.replace('<Rank>', `<Rank>${text}`).replace('</ServiceAPI>', `${behind}</ServiceAPI>`),
      ]
    })
    expect(stderr).not.toMatch(/^error/m)
    expect(status).toBeTypeOf('number')
  })

  // The search compares all values of a response hundreds of times.
  test('a body of a megabyte is one value', () => {
    const leaves = (elements: number) =>
      leavesOf({ status: 200, type: 'text/xml', body: `<S>${'<a/>'.repeat(elements)}</S>` }).leaves.length
    expect([leaves(10), leaves(100_000)]).toEqual([11, 1])
  })

  test('ids that are no numbers are what was asked for', async () => {
    const { stdout } = await probe((asked) => {
      const [code, type, body] = usual(asked)
      return [code, type, body.replace(/("Id":|<Id>)\d/g, '$11e999')]
    })
    // Its lists have no limit: user 0 would have been looked for in them.
    expect(stdout).toContain('The longest list with a complete response has 1,200 values.')
  })

  test.each<[string, string, (target: string) => string]>([
    ['text', 'application/json', (target) => JSON.stringify({ Error: `You asked for ${target} {value}` })],
    ['page', 'text/html', (target) => `<html><body><p>${target.replaceAll('&', '&amp;')}</p></body></html>`],
  ])('what a %s repeats of the query is neither a method nor its text', async (_, type, write) => {
    const { stdout, dialect } = await probe((asked) => {
      const [code] = usual(asked)
      return code === 200
        ? usual(asked)
        : [code, type, write(decodeURIComponent(asked.target.replace(/%(?![2-7])/g, '')))]
    })
    expect(stdout).not.toContain('The method of the chat platform is "Event')
    expect(dialect).not.toContain('"chatMethod"')
  })

  test.each([
    ['HTML', '<p>Last row: Zo&euml;, &lt;b&gt; &amp; &#196;rger</p>'],
    ['XML', '<Last><a>Zo&#xEB;</a><b>&lt;b&gt; &amp; &#xC4;rger</b></Last>'],
    ['JSON', String.raw`{"Last":"no","row":["Zo\u00eb","<b> & \u00c4rger"]}`],
  ])('an error that holds a row in %s is not recorded', async (_, error) => {
    const { status, dialect } = await probe((asked) => {
      const [code, type, body] = usual(asked)
      if (code !== 200) return [code, 'text/html', error]
      const named = body.replace(/u1\b/g, 'Zoë').replace('"DisplayName":"', '$&<b> & Ärger')
      return [code, type, named.replace('<DisplayName>', '$&&lt;b> &amp; Ärger')]
    })
    expect(dialect).not.toContain('Last')
    expect(status).toBe(1)
  })

  test('one that ends at an odd target is asked no more, and the report says so', async () => {
    let isDown = false
    const { url, close } = await startAnswering((request, response) => {
      const target = request.url ?? ''
      isDown ||= target.startsWith('//')
      if (isDown) return void response.destroy()
      const [status, type, body] = usual({
        query: new URL(`http://x${target}`).searchParams,
        target,
        number: 0,
      })
      response.writeHead(status, { 'Content-Type': type }).end(body)
    })
    onTestFinished(close)
    const { stdout } = await place.run(['probe', url, '--apps', '', '--users', '1', '--rate', '1000'])
    expect(stdout).toContain(
      'a path that begins with //: old service: no response, and none to a usual request after it. Check that it is running; ',
    )
    expect(stdout).not.toContain('HTTP/1.0 without Host')
  })

  test('one that refuses by a template works as the store, and can be copied', async () => {
    const { status, stdout, dialect } = await probe((asked) => {
      const [code, type, body] = usual(asked)
      const values = (asked.query.get('Users') ?? '').split(':')
      const missing = values.find((value) => !body.includes(`"${value}"`))
      if (code === 200 && missing === undefined) return [code, type, body]
      const text = code === 200 ? `No user ${missing}` : `This is wrong: ${asked.query.get('Event')}`
      return [code === 200 ? 404 : code, 'application/json', JSON.stringify({ ok: false, detail: text })]
    })
    expect(status).toBe(0)
    expect(dialect).toContain('"missing": "refuse"')
    expect(dialect).toContain(JSON.stringify('{"ok":false,"detail":"No user {value}"}'))
    expect(stdout).toContain('Works as the store (DATABASE_URL): yes.\n')
    expect(stdout).toContain('Can be copied ("lookup import"): yes.\n')
  })
})
