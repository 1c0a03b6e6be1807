// Lookups made up for rows: what is there in other spellings, what is not there, and what cannot be.

import fc from 'fast-check'
import { text } from '../legacy/support/texts.ts'
import type { Question } from './model.ts'
import type { Rows } from './rows.ts'

const spellings = fc.constantFrom<(value: string) => string>(
  (value) => value,
  (value) => value,
  (value) => value.toUpperCase(),
  (value) => value.toLowerCase(),
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => (value: string) => value.normalize(form)),
  (value) => ` ${value}`,
  (value) => value.slice(1),
  (value) => `${value}\0`,
)
const zeros = fc.constantFrom('', '', '', '0', '00', '0'.repeat(300))
// A legacy query cannot carry the first three.
const impossible = fc.constantFrom('\ud800', '\udc00x', 'a\0b', '', ':', '::')
const noId = fc.constantFrom(
  ...['x', '-1', '+1', '1.0', '1e3', '0x1', '٣', ' 1', '1 ', '9007199254740992', '9'.repeat(400)],
)
const missing = fc.constantFrom('0', '00', '9007199254740990', '555555')

function often<T>(weight: number, usual: fc.Arbitrary<T>, ...rare: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: usual }, ...rare)
}

export function questionsFor({ users, apps }: Rows): fc.Arbitrary<Question> {
  const respelt = (known: readonly string[]) =>
    fc.tuple(spellings, fc.constantFrom(...known)).map(([respell, value]) => respell(value))
  const idOf = (known: readonly { readonly id: number }[]) =>
    fc.tuple(zeros, fc.constantFrom(...known)).map(([before, { id }]) => `${before}${id}`)
  const values = {
    ID: often(30, idOf(users), missing, missing, noId, impossible),
    APP: often(30, idOf(apps), missing, missing, noId, impossible),
    USERNAME: often(15, respelt(users.map(({ username }) => username)), text, impossible),
    CHAT: often(15, respelt(users.flatMap(({ chatId }) => chatId ?? [])), text, impossible),
  }
  return fc.constantFrom('ID', 'USERNAME', 'CHAT', 'APP').chain((kind) =>
    fc
      .tuple(fc.array(values[kind], { minLength: 1, maxLength: 8 }), fc.nat(2))
      // Some come twice.
      .map(([list, again]): Question => ({ kind, values: [...list, ...list.slice(0, again)] })),
  )
}
