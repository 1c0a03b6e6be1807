// `lookup probe` of services that nobody would write: it ends soon, says what is wrong, and advises nothing
// that it did not see.

import { expect, onTestFinished } from 'vitest'
import { startAnswering, userOf } from '../../kit/answering.ts'
import { test } from '../../kit/test.ts'
import type { Workplace } from '../../kit/workplace.ts'

interface Asked {
  readonly query: URLSearchParams
  readonly target: string
  /** Which request it is, from 1 on. */
  readonly number: number
}

type Said = readonly [status: number, type: string, body: string]
type Answer = (asked: Asked) => Said | null

/** A service that has users 1 to 3 by id and username, and no chat identifiers. */
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

/** The usual service, with other bodies. */
const withBody =
  (change: (body: string, asked: Asked, status: number) => string): Answer =>
  (asked) => {
    const [status, type, body] = usual(asked)
    return [status, type, change(body, asked, status)]
  }

async function probe(place: Workplace, answer: Answer) {
  let number = 0
  const { url, close } = await startAnswering((request, response) => {
    const target = request.url ?? ''
    const said = answer({ query: new URL(`http://x${target}`).searchParams, target, number: ++number })
    if (said === null) return void response.destroy()
    const [status, type, body] = said
    response.writeHead(status, { 'Content-Type': type }).end(body)
  })
  onTestFinished(close)
  const outcome = await place.run(['probe', url, '--apps', '', '--users', '1', '--rate', '1000'])
  return { ...outcome, dialect: outcome.stdout.slice(outcome.stdout.indexOf('\n{\n')) }
}

test.for<[string, Answer, reason: RegExp]>([
  [
    'changes its mind',
    (asked) => (asked.number > 40 ? [200, 'application/json', '{"Error":"Quota exceeded"}'] : usual(asked)),
    /Its responses change: Event=ProfileLookup&Users=1 was answered, 1 entry, and later .*Quota exceeded.*\. No dialect fits both\./,
  ],
  [
    'is two versions behind one address',
    withBody((body, { number }) => (number % 2 === 0 ? body.replace(/:(\d+)/g, ':"$1"') : body)),
    /Its responses change: .* was .*, and later .*\./,
  ],
  [
    'answers the same whatever it is asked',
    () => [200, 'application/json', JSON.stringify({ 2: userOf('2') })],
    /The response to a request for user 1 is user 2: the service, or a cache in front of it, ignores the query\./,
  ],
  [
    'answers with megabytes',
    withBody((body, _, status) =>
      status === 200 ? body.replace(/,?\}$/, `,"x":"${'1'.repeat(5_000_000)}"}`) : body,
    ),
    /Its responses have more than 16777216 bytes in all, after \d requests\. Check that this is the address/,
  ],
])('nothing is advised for one that %s', async ([, answer, reason], { place }) => {
  const { status, stdout, stderr } = await probe(place, answer)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(reason)
})

test('values that change are no other answer', async ({ place }) => {
  const changing = withBody((body, { number }) =>
    body.replace(/("Rank":)0|(<Rank>)0/g, `$1$2${number}`).replace('wrong', `${number}`),
  )
  const { status, stderr } = await probe(place, changing)
  expect(status, stderr).toBe(0)
})

// With a quadratic parser, or a search that compares all elements each time: a minute and more.
test.for([
  ['apostrophes', `${"'".repeat(300_000)}>`, ''],
  ['a comment', '', `<!--${'<Data <a <?xml <![CDATA[ '.repeat(15_000)}-->`],
  ['elements', '', '<a/>'.repeat(40_000)],
] as const)(
  'XML of a megabyte in %s takes little time',
  { timeout: 60_000 },
  async ([, text, behind], { place }) => {
    const large = withBody((body) =>
      body.replace('<Rank>', `<Rank>${text}`).replace('</ServiceAPI>', `${behind}</ServiceAPI>`),
    )
    const { status, stderr } = await probe(place, large)
    expect(stderr).not.toMatch(/^error/m)
    expect(status).toBeTypeOf('number')
  },
)

test('ids that are no numbers are what was asked for', async ({ place }) => {
  const { stdout } = await probe(
    place,
    withBody((body) => body.replace(/("Id":|<Id>)\d/g, '$11e999')),
  )
  // Its lists have no limit: user 0 would have been looked for in them.
  expect(stdout).toContain('The longest list with a complete response has 1,200 values.')
})

test.for<[string, string, (target: string) => string]>([
  ['text', 'application/json', (target) => JSON.stringify({ Error: `You asked for ${target} {value}` })],
  ['page', 'text/html', (target) => `<html><body><p>${target.replaceAll('&', '&amp;')}</p></body></html>`],
])('what a %s repeats of the query is neither a method nor its text', async ([, type, write], { place }) => {
  const { stdout, dialect } = await probe(place, (asked) => {
    const echo = () => write(decodeURIComponent(asked.target.replace(/%(?![2-7])/g, '')))
    return usual(asked)[0] === 200 ? usual(asked) : [400, type, echo()]
  })
  expect(stdout).not.toContain('The method of the chat platform is "Event')
  expect(dialect).not.toContain('"chatMethod"')
})

test.for([
  ['HTML', '<p>Last row: Zo&euml;, &lt;b&gt; &amp; &#196;rger</p>'],
  ['XML', '<Last><a>Zo&#xEB;</a><b>&lt;b&gt; &amp; &#xC4;rger</b></Last>'],
  ['JSON', String.raw`{"Last":"no","row":["Zo\u00eb","<b> & \u00c4rger"]}`],
] as const)('an error that holds a row in %s is not recorded', async ([, error], { place }) => {
  const { status, dialect } = await probe(place, (asked) => {
    const [code, type, body] = usual(asked)
    if (code !== 200) return [code, 'text/html', error]
    const named = body.replace(/u1\b/g, 'Zoë').replace('"DisplayName":"', '$&<b> & Ärger')
    return [code, type, named.replace('<DisplayName>', '$&&lt;b> &amp; Ärger')]
  })
  expect(dialect).not.toContain('Last')
  expect(status).toBe(1)
})

const odd = 'Format=json'
/** The usual service but for one request. */
const atOdd =
  (change: (said: Said) => Said | null): Answer =>
  (asked) =>
    asked.target.endsWith(odd) ? change(usual(asked)) : usual(asked)
const withRank =
  (rank: string) =>
  ([status, type, body]: Said): Said => [status, type, body.replace('"Rank":0', `"Rank":${rank}`)]

test.for<[string, Answer, status: number, line: string, effect: string]>([
  [
    ...(['a field of its own', withBody((body) => body.replaceAll('"Rank"', '"Own":1,"Rank"')), 1] as const),
    ...(['Own is missing: Own: 1', 'Clients get undefined, null or a default.'] as const),
  ],
  [
    'another type',
    atOdd(withRank('"0"')),
    1,
    'Rank: old service 0 (string); gateway 0 (number)',
    '=== fails',
  ],
  [
    'null',
    atOdd(withRank('null')),
    1,
    'Rank: old service null (null); gateway 0 (number)',
    'methods of null throw',
  ],
  ['another value', atOdd(withRank('9')), 1, 'Rank: old service 9; gateway 0', 'Clients show another value.'],
  ['no response', atOdd(() => null), 1, '; gateway responds', 'The call fails instead of success'],
  [
    ...([
      'another Content-Type',
      atOdd(([status, , body]) => [status, 'application/json;a=b', body]),
      0,
    ] as const),
    ...([
      'Content-Type: old service application/json;a=b; gateway application/json;',
      'None, unless',
    ] as const),
  ],
])('%s is a difference with an effect', async ([, answer, status, line, effect], { place }) => {
  const outcome = await probe(place, answer)
  expect(outcome).toMatchObject({ status, stdout: expect.stringContaining(line) })
  expect(outcome.stdout).toContain(effect)
})

test('one that ends at an odd target is asked no more, and the report says so', async ({ place }) => {
  let isDown = false
  const { stdout } = await probe(place, (asked) => {
    isDown ||= asked.target.startsWith('//')
    return isDown ? null : usual(asked)
  })
  expect(stdout).toContain(
    'a path that begins with //: old service: no response, and none to a usual request after it. Check that it is running; ',
  )
  expect(stdout).not.toContain('HTTP/1.0 without Host')
})

test('one that refuses by a template works as the store, and can be copied', async ({ place }) => {
  const { status, stdout, dialect } = await probe(place, (asked) => {
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
