// What cells of each kind may be, and what they cannot be.

import type { Cell } from '../../src/data/fields.ts'

export const MAX = Number.MAX_SAFE_INTEGER

export interface Rule {
  readonly valid: readonly (readonly [text: string, cell: Cell])[]
  readonly invalid: readonly string[]
}

export const integers = [
  '',
  '-',
  '+1',
  ' 1',
  '1 ',
  '1\n',
  '1.0',
  '1e3',
  '0x10',
  '1_000',
  '1,000',
  'NaN',
  'Infinity',
  '١',
]
export const int32: Rule = {
  valid: [
    ['0', 0],
    ['-0', 0],
    ['-1', -1],
    ['007', 7],
    ['2147483647', 2147483647],
    ['-2147483648', -2147483648],
  ],
  invalid: [...integers, '--1', '2147483648', '-2147483649', '9007199254740991', '99999999999999999999'],
}
export const id: Rule = {
  valid: [
    ['1', 1],
    ['007', 7],
    ['00000000000000000000007', 7],
    [String(MAX), MAX],
  ],
  invalid: [...integers, '0', '000', '-1', '9007199254740992', '99999999999999999999'],
}
export const boolean: Rule = {
  valid: [
    ['true', 1],
    ['1', 1],
    ['false', 0],
    ['0', 0],
  ],
  invalid: ['', 'TRUE', 'False', 'yes', 'no', '2', '-1', '01', '1.0', ' true', 'null'],
}
export const same = (...texts: string[]) => texts.map((text) => [text, text] as const)
export const anyText = same(
  'two words',
  ' edge ',
  'a:b',
  'a,b',
  '"a"',
  "it's",
  'a\nb',
  'a\r\nb',
  '\t',
  'é',
  '花子 🌸',
  '007',
)
export const link: Rule = {
  valid: same(
    'http://a.example',
    'HTTPS://A.example/x?y=1&z=2#w',
    'https://a.example:8443/',
    'https://[::1]/',
    'https://星.example/é',
  ),
  invalid: [
    '',
    '/changelog',
    'a.example',
    '//a.example',
    'ftp://a.example/',
    'javascript:alert(1)',
    'https://',
    'https://a.example:99999/',
    'https://[::1/',
    'https://a b/',
    ' https://a.example',
    'https://a.example/\n',
    'https://a.example/\0',
    'https://a.example/\ud800',
  ],
}
