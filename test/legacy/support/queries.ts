// Query strings made up for the gateway: good ones, nearly good ones, and noise.

import fc from 'fast-check'
import { caseData } from './cases.ts'
import { readLines } from './lines.ts'
import { APP, CHAT, ID, NAME } from './rows.ts'
import { text } from './texts.ts'

interface User {
  readonly username: string
  readonly chatId: string | null
}

const users = readLines<User>(caseData.users)
const usernames = users.map(({ username }) => username)
const chatIds = users.flatMap(({ chatId }) => chatId ?? [])

// Whatever a query in a request line can hold; Node's parser lets no other character through, and # ends it.
const noise = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .filter((code) => code !== 0x23)
    .map((code) => String.fromCharCode(code)),
})
const broken = fc.oneof(
  fc.constantFrom(...'% %4 %zz %FF %00 %C3%28 %ED%A0%80 x -1 1e3 9007199254740992'.split(' ')),
  noise,
)

const id = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }).map((n) => `${n % 5 === 0 ? '00' : ''}${n}`) },
  { weight: 1, arbitrary: fc.constantFrom('70000', '9007199254740991', '9007199254740990', '0', '') },
)
const everyByte = (value: string) => Buffer.from(value).toString('hex').replace(/../g, '%$&')
const encode = fc.constantFrom<(value: string) => string>(
  encodeURIComponent,
  (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  (value) => encodeURIComponent(value.toLocaleUpperCase('en')),
  everyByte,
)
const encoded = (known: readonly string[]) =>
  fc
    .tuple(encode, fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, text))
    .map(([encoder, value]) => encoder(value))
const list = (value: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof({ weight: 40, arbitrary: value }, broken), { minLength: 1, maxLength: 12 })
    .map((values) => values.join(':'))

const lists = [list(id), list(encoded(usernames)), list(encoded(chatIds)), list(id)] as const
const good = fc.oneof(
  ...[ID, NAME, CHAT, APP].map((start, at) => (lists[at] ?? noise).map((all) => start + all)),
)
const strange = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...'Event Users Apps MethodOfAccessingUserInformation Format event %55sers'.split(' ')),
      noise,
    ),
    fc.oneof(
      fc.constantFrom(...'ProfileLookup AppLookup profilelookup username chat id XML json'.split(' '), ''),
      ...[list(id), encoded(usernames), broken],
    ),
  )
  .map((pair) => pair.join('='))
const tooMany = Array.from({ length: 1001 }, (_, index) => index).join(':')

export const query = fc.oneof(
  { weight: 700, arbitrary: good },
  { weight: 100, arbitrary: fc.tuple(good, strange).map((both) => both.join('&')) },
  { weight: 100, arbitrary: fc.tuple(strange, good).map((both) => both.join('&')) },
  { weight: 60, arbitrary: fc.array(strange, { maxLength: 5 }).map((some) => some.join('&')) },
  { weight: 40, arbitrary: noise },
  { weight: 3, arbitrary: good.map((some) => some.padEnd(66_000, ':')) },
  { weight: 1, arbitrary: fc.constantFrom(ID, NAME, CHAT, APP).map((start) => start + tooMany) },
)

const rawPiece = fc.oneof(
  fc.constantFrom(
    ...'% %4 %zz %00 + %2B %c3%A9 \xc3\xa9 \xc3%a9 %C3\xa9 \xff %ed%a0%80 %f0%9f%8c%b8 %C0%80'.split(' '),
    ...'%EF%BB%BF a : %3a \xe9 %26 ='.split(' '),
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
