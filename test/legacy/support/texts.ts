// Generated texts that writers of JSON and XML stumble over.

import fc from 'fast-check'

const hostile = fc.constantFrom(
  ...`&#0; &nbsp; &amp; &lt; & ]]> <![CDATA[ <!-- <? </Data> < > " ' \\ / \\u0041`.split(' '),
  ...['\t', '\n', '\r', '\r\n', '\0', '\x01', '\b', '\f', '\x1f', '\x7f', '\x85', '\xa0', ' '],
  ...['\u2028', '\ufffe', '\uffff', '\ufdd0', '\ufeff', '\ufffd', '\u{10000}', '\u{1fffe}', '\u{10ffff}'],
  ...['__proto__', 'constructor', '0', '-0', '007', '10', '1e3'],
)

const mixed = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 6 })
  .map((parts) => parts.join(''))

/** Texts that PHP takes for numbers. */
const numeric = fc.oneof(
  fc.constantFrom(
    ...['2077', '007', ' 7', '7 ', '7\n', '+5', '-0', '-0.0', '1e5', '.5', '5.', '1e400', '1e-7', '0.0001'],
    ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '1e17', '12345678901234567890'],
  ),
  fc.integer().map(String),
  fc.double().map(String),
)

/** Texts without lone surrogates. */
export const text = fc.oneof({ weight: 9, arbitrary: mixed }, { weight: 1, arbitrary: numeric })
