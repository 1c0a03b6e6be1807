// Texts are compared as PHP, SQLite and MySQL compare them, which are asked themselves.

import { execFileSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Compare,
  compareBytes,
  compareKeys,
  compareNoCase,
  generalCi,
} from '../../../../src/gateway/legacy/habits/collations.ts'
import { seedOf } from '../../../kit/generate.ts'
import { makeDatabase } from '../../../kit/mysql/database.ts'
import { flavours, hasServer } from '../../../kit/mysql/programs.ts'
import { MysqlServer } from '../../../kit/mysql/server.ts'
import { hasProgram } from '../../../kit/programs.ts'

const seed = seedOf('habits/collations.test.ts')
const named = [
  'a',
  'B',
  '_',
  'a_',
  'aB',
  'Ab',
  'ab',
  'a ',
  'a\t',
  '',
  'é',
  'E',
  'ß',
  'S',
  'ø',
  'Ø',
  'å',
  '花',
  '😀',
  'й',
  'И',
]
const letters = fc.constantFrom(...('aAbBzZ_019 -.éÉüÜßøØñçÇàж花😀ﬁ｡'.match(/./gu) ?? []))
const texts = fc.oneof(fc.constantFrom(...named), fc.string({ unit: letters, maxLength: 4 }))
const pairs = fc.sample(fc.tuple(texts, texts), { seed, numRuns: 3000 })
const signsOf = (compare: Compare<string>) => pairs.map(([one, other]) => Math.sign(compare(one, other)))

function inPhp(expression: string, asked: readonly (readonly [string, string])[] = pairs): number[] {
  const program = `echo json_encode(array_map(fn ($p) => (${expression}) <=> 0, json_decode(stream_get_contents(STDIN), true)));`
  return JSON.parse(execFileSync('php', ['-r', program], { input: JSON.stringify(asked), encoding: 'utf8' }))
}

describe.skipIf(!hasProgram('php'))('in PHP', () => {
  test('bytes', () => expect(signsOf(compareBytes)).toEqual(inPhp('strcmp($p[0], $p[1])')))

  test('without case', () => expect(signsOf(compareNoCase)).toEqual(inPhp('strcasecmp($p[0], $p[1])')))

  test('keys of an array', () => {
    const numbers = [
      '1',
      '2',
      '10',
      '007',
      '1.5',
      '1e2',
      '9007199254740993',
      '9007199254740992',
      '-3',
      '99999999999',
    ]
    const keys = fc.oneof(fc.constantFrom(...numbers), texts)
    const asked = fc
      .sample(fc.tuple(keys, keys), { seed, numRuns: 3000 })
      .filter(([one, other]) => one !== other)
    const sorted =
      'array_search($p[0], array_map("strval", array_keys($a))) - array_search($p[1], array_map("strval", array_keys($a)))'
    const both =
      '(function ($p) { $a = [$p[1] => 1, $p[0] => 1]; ksort($a); $b = [$p[0] => 1, $p[1] => 1]; ksort($b); '
    // Those that ksort() takes for equal stay as they came.
    const order = `${both}$in = fn ($a) => ${sorted}; return $in($a) === $in($b) ? $in($a) : 0; })($p)`
    const signs = inPhp(order, asked)
    for (const [at, [one, other]] of asked.entries())
      expect(Math.sign(compareKeys(one, other)), `${one} and ${other}`).toBe(signs[at])
    expect(signs.filter((sign) => sign !== 0).length).toBeGreaterThan(2000)
  })
})

test.each([
  ['BINARY', compareBytes],
  ['NOCASE', compareNoCase],
] as const)('SQLite: %s', (collation, compare) => {
  const database = new DatabaseSync(':memory:')
  const less = database.prepare(
    `SELECT (?1 > ?2 COLLATE ${collation}) - (?1 < ?2 COLLATE ${collation}) AS sign`,
  )
  expect(signsOf(compare)).toEqual(pairs.map(([one, other]) => less.get(one, other)?.sign))
  database.close()
})

describe.for(flavours.filter(hasServer))('%s', (flavour) => {
  test('utf8mb4_general_ci', async () => {
    const server = await MysqlServer.start(flavour)
    try {
      const database = await makeDatabase(server)
      await database.run(
        'CREATE TABLE pairs (at int, one varchar(20), other varchar(20)) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
      )
      await database.run('INSERT INTO pairs VALUES ?', [pairs.map(([one, other], at) => [at, one, other])])
      const rows = await database.run('SELECT (one > other) - (one < other) FROM pairs ORDER BY at')
      expect(signsOf(generalCi())).toEqual(rows.map(([sign]) => Number(sign)))
    } finally {
      await server.remove()
    }
  })
})

test('no more than the beginning of long texts is compared', () => {
  const long = 'x'.repeat(1024)
  for (const compare of [compareBytes, compareNoCase, generalCi()])
    expect(compare(`${long}a`, `${long}b`)).toBe(0)
})
