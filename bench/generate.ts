// Makes data for benchmarks and tests: the same rows for the same seed, on every machine.
//
//   node bench/generate.ts users 1000000 > users.csv
//   node bench/generate.ts apps 100000 > apps.csv

import { once } from 'node:events'

/** Identifiers are 1…count, so that a load generator can pick any of them. */
type MakeRow = (id: number, random: Random) => readonly (string | number | boolean)[]

interface Random {
  /** An integer from 0 to `below` - 1. */
  readonly next: (below: number) => number
  readonly pick: <Item>(items: readonly Item[]) => Item
}

const words = [
  [
    'amber',
    'brook',
    'cedar',
    'delta',
    'ember',
    'flint',
    'grove',
    'heron',
    'iris',
    'juniper',
    'kestrel',
    'lark',
  ],
  ['señor', 'çelik', 'łukasz', 'åse', 'über', 'nguyễn', 'œuvre', 'þór', 'ğül', 'štěpán'],
  ['река', 'сосна', 'весна', 'ёжик', 'київ', 'ветер'],
  ['άνεμος', 'νερό', 'φως', 'δρόμος'],
  ['青空', '森', '山田', '流れ星', 'さくら', 'カモメ'],
  ['바다', '하늘', '강물'],
  ['قمر', 'نجم', 'بحر'],
  ['नदी', 'पवन', 'ครู', 'ლამაზი', 'հով', 'רוח'],
] as const
const marks = ['🌊', '🚲', '👩‍🚀', '🇳🇴', '♞', '½', 'é\u0301', '\u00a0', 'ﬁ'] as const

function word({ next, pick }: Random): string {
  // Half of the names are plain ASCII, as in most services.
  return pick(next(2) === 0 ? words[0] : pick(words))
}

// What a reader of CSV or XML may stumble over: quotes, commas, newlines, markup, entities.
function displayName(random: Random): string {
  const [first, second] = [word(random), word(random)]
  switch (random.next(24)) {
    case 0:
      return `${first}, ${second}`
    case 1:
      return `"${first}" ${second}`
    case 2:
      return `${first}\n${second}`
    case 3:
      return `<${first}> & ${second} &amp; co.`
    case 4:
      return `${first} ${random.pick(marks)}`
    case 5:
      return `  ${first}\\${second}/ `
    case 6:
      return ''
    default:
      return `${first} ${second}`
  }
}

const makeUser: MakeRow = (id, random) => [
  id,
  // The number in base 36 keeps usernames apart, whatever the words are.
  `${word(random)}${random.pick(['_', '.', '-', ' '])}${id.toString(36)}`,
  random.next(3) === 0 ? '' : `${random.pick(['c', 'C', 'chat:', '星'])}${id * 7}`,
  displayName(random),
  random.next(12) - 1,
  1_000_000_000 + random.next(800_000_000),
  random.next(10) > 0,
  random.next(50) === 0,
]

const makeApp: MakeRow = (id, random) => {
  const slug = `${random.pick(words[0])}-${id.toString(36)}`
  const version = `${random.next(20)}.${random.next(30)}.${random.next(100)}`
  const changelog = `https://releases.example/${slug}/changelog?from=${random.next(9)}&to=${version}`
  const download = `https://releases.example/get/${random.pick(['', `${encodeURIComponent(word(random))}/`])}${id}/`
  return [id, displayName(random), version, random.next(40), changelog, download]
}

const tables = {
  users: { header: 'id,username,chatId,displayName,rank,joinDate,isConfirmed,banned', makeRow: makeUser },
  apps: { header: 'id,title,version,category,changelogLink,downloadLink', makeRow: makeApp },
} as const

/** The lines of a CSV file, the header first. */
export function* generate(name: keyof typeof tables, count: number, seed = 1): Generator<string> {
  const { header, makeRow } = tables[name]
  yield `${header}\n`
  const random = createRandom(seed)
  for (let id = 1; id <= count; id++) yield `${makeRow(id, random).map(quote).join()}\n`
}

function quote(cell: string | number | boolean): string {
  const text = String(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Mulberry32: small, fast, and the same everywhere. */
function createRandom(seed: number): Random {
  let state = seed | 0
  function next(below: number): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
  // An index below the length is always there.
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item
  return { next, pick }
}

async function main([name = '', count = '', seed = '1']: readonly string[]): Promise<void> {
  if ((name !== 'users' && name !== 'apps') || !/^\d{1,12}$/.test(count) || !/^\d{1,9}$/.test(seed)) {
    process.stderr.write('Usage: node bench/generate.ts users|apps COUNT [SEED] > FILE.csv\n')
    process.exitCode = 1
    return
  }
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on('error', () => process.exit(0))
  let text = ''
  for (const line of generate(name, Number(count), Number(seed))) {
    text += line
    if (text.length < 64 * 1024) continue
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
    text = ''
  }
  process.stdout.write(text)
}

if (import.meta.main) await main(process.argv.slice(2))
