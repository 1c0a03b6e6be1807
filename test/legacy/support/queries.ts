// Query strings made up for the gateway: good ones, nearly good ones, and noise.

import fc from 'fast-check'
import { caseData } from './cases.ts'
import { readLines } from './lines.ts'
import { text } from './texts.ts'

interface User {
  readonly username: string
  readonly chatId: string | null
}

const users = readLines<User>(caseData.users)
const usernames = users.map(({ username }) => username)
const chatIds = users.flatMap(({ chatId }) => chatId ?? [])

function often<T>(weight: number, usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })
}

// Whatever a query in a request line can hold; Node's parser lets no other character through, and # ends it.
const noise = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .filter((code) => code !== 0x23)
    .map((code) => String.fromCharCode(code)),
})
const broken = fc.oneof(
  fc.constantFrom(
    ...['%', '%4', '%zz', '%FF', '%00', '%C3%28', '%ED%A0%80', 'x', '-1', '1e3', '9007199254740992'],
  ),
  noise,
)

const id = often(
  9,
  often(
    5,
    fc.integer({ min: 1, max: 60 }).map(String),
    fc.integer({ min: 1, max: 60 }).map((n) => `00${n}`),
  ),
  fc.constantFrom('70000', '9007199254740991', '9007199254740990', '0', ''),
)

const everyByte = (value: string) => Buffer.from(value).toString('hex').replace(/../g, '%$&')
const encode = fc.constantFrom<(value: string) => string>(
  encodeURIComponent,
  (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  (value) => encodeURIComponent(value.toLocaleUpperCase('en')),
  everyByte,
)
const encoded = (known: readonly string[]) =>
  fc.tuple(encode, often(3, fc.constantFrom(...known), text)).map(([encoder, value]) => encoder(value))

const list = (value: fc.Arbitrary<string>) =>
  fc.array(often(40, value, broken), { minLength: 1, maxLength: 12 }).map((values) => values.join(':'))

const METHOD = 'MethodOfAccessingUserInformation'
const parts = fc.oneof(
  list(id).map((ids) => ['Event=ProfileLookup', `Users=${ids}`]),
  list(id).map((ids) => ['Event=AppLookup', `Apps=${ids}`]),
  list(encoded(usernames)).map((names) => ['Event=ProfileLookup', `${METHOD}=username`, `Users=${names}`]),
  list(encoded(chatIds)).map((ids) => ['Event=ProfileLookup', `${METHOD}=chat`, `Users=${ids}`]),
)

const name = often(
  4,
  fc.constantFrom('Event', 'Users', 'Apps', METHOD, 'Format', 'event', '%55sers', ''),
  noise,
)
const value = often(
  2,
  fc.constantFrom('ProfileLookup', 'AppLookup', 'profilelookup', 'username', 'chat', 'id', 'XML', 'json', ''),
  fc.oneof(list(id), encoded(usernames), broken),
)
const strange = fc.tuple(name, value).map((pair) => pair.join('='))

const shuffled = (all: fc.Arbitrary<string[]>) =>
  all.chain((some) => fc.shuffledSubarray(some, { minLength: some.length })).map((some) => some.join('&'))

const good = shuffled(parts)
const spoilt = shuffled(fc.tuple(parts, strange).map(([some, one]) => [...some, one]))
const messy = fc.array(strange, { maxLength: 5 }).map((some) => some.join('&'))
const tooLong = good.map((query) => query.padEnd(66_000, ':'))
const tooMany = parts.map((some) => {
  const values = Array.from({ length: 1001 }, (_, index) => index).join(':')
  return some.join('&').replace(/(Users|Apps)=[^&]*/, `$1=${values}`)
})

export const query = fc.oneof(
  { weight: 700, arbitrary: good },
  { weight: 200, arbitrary: spoilt },
  { weight: 60, arbitrary: messy },
  { weight: 40, arbitrary: noise },
  { weight: 3, arbitrary: tooLong },
  { weight: 1, arbitrary: tooMany },
)

const rawPiece = fc.oneof(
  fc.constantFrom(
    ...['%', '%4', '%zz', '%00', '+', '%2B', '%c3%A9', '\xc3\xa9', '\xc3%a9', '%C3\xa9', '\xff', '%ed%a0%80'],
    ...['%f0%9f%8c%b8', '%C0%80', '%EF%BB%BF', 'a', ':', '%3a', '\xe9', '%26', '='],
  ),
  fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 3,
    })
    // It ends the value, or the target.
    .map((bytes) => bytes.replace(/[&#]/g, '')),
)
/** A value of a parameter, one character a byte. */
export const rawValue = fc.array(rawPiece, { maxLength: 12 }).map((pieces) => pieces.join(''))
