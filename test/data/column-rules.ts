import type { Relation } from '../../src/data/relation.ts'
import { anyText, boolean, id, int32, integers, link, MAX, type Rule, same } from './cell-rules.ts'

/** For every column, texts and the cells they become, and texts that are refused. */
export const rules: Record<Relation['name'], Record<string, Rule>> = {
  users: {
    id,
    username: {
      valid: same(
        'a',
        'two words',
        'salt&pepper',
        '1234',
        "o'neil",
        '"q"',
        'a,b',
        '花子',
        '🌸',
        'ﬀ',
        '__proto__',
        'n'.repeat(256),
        '🌸'.repeat(128),
      ),
      invalid: [
        'n'.repeat(257),
        '🌸'.repeat(129),
        '',
        ':',
        'a:b',
        'a\nb',
        'a\tb',
        'a\0',
        '\u007f',
        '\u0085',
        '\u009b',
        '\ud800',
        '\udc00a',
      ],
    },
    chatId: {
      valid: [['', null], ...anyText, ...same('c'.repeat(256), 'é'.repeat(256))],
      invalid: ['c'.repeat(257), '🌸'.repeat(129), 'a\0', '\0', '\ud800', 'a\udc00'],
    },
    displayName: { valid: [['', ''], ...anyText], invalid: ['a\0', '\0', '\ud800', 'a\udc00'] },
    rank: int32,
    joinDate: {
      valid: [
        ['0', 0],
        ['-0', 0],
        ['1199145600', 1199145600],
        [String(MAX), MAX],
        [String(-MAX), -MAX],
      ],
      invalid: [...integers, '9007199254740992', '-9007199254740992', '99999999999999999999'],
    },
    isConfirmed: boolean,
    banned: boolean,
  },
  apps: {
    id: {
      ...id,
      valid: [
        ['7', 7],
        ['007', 7],
      ],
    },
    title: { valid: [['', ''], ...anyText], invalid: ['a\0', '\ud800'] },
    version: {
      valid: same('0.0.0', '1.2.3', '2026.11.3'),
      invalid: [
        '',
        '1',
        '1.2',
        '1.2.3.4',
        'v1.2.3',
        '1.2.3-beta',
        '1..3',
        '.1.2',
        '1.2.',
        ' 1.2.3',
        '1.2.3\n',
        '1.2.٣',
        '-1.2.3',
      ],
    },
    category: int32,
    changelogLink: link,
    downloadLink: {
      valid: same('https://a.example/7/', 'http://a.example/download/7/', 'https://a.example/7/?from=list'),
      invalid: [
        ...link.invalid,
        'https://a.example/7',
        'https://a.example/77/',
        'https://a.example/x7/',
        'https://a.example/8/',
        'https://a.example/#/7/',
        'https://a.example/?/7/',
        'https://a.example/7\\',
        'https://a.example/7/.',
      ],
    },
  },
}
