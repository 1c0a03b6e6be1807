// Makes rows for benchmarks and tests: the same rows for the same seed, on every machine.

/** Identifiers are 1 to count, so that a load generator can pick any of them. */
type MakeRow = (id: number, random: Random) => readonly (string | number | boolean)[]
type Random = ReturnType<typeof createRandom>

const words = [
  'amber brook cedar delta ember flint grove heron iris juniper kestrel lark',
  'señor çelik łukasz åse über nguyễn œuvre þór ğül štěpán',
  'река сосна весна ёжик київ ветер',
  'άνεμος νερό φως δρόμος',
  '青空 森 山田 流れ星 さくら カモメ',
  '바다 하늘 강물',
  'قمر نجم بحر',
  'नदी पवन ครู ლამაზი հով רוח',
].map((line) => line.split(' '))
const [ascii = []] = words
const marks = ['🌊', '🚲', '👩‍🚀', '🇳🇴', '♞', '½', 'é\u0301', '\u00a0', 'ﬁ'] as const

/** Half of the names are plain ASCII, as in most services. */
function word({ next, pick }: Random): string {
  return pick(next(2) === 0 ? ascii : pick(words))
}

/** Includes what a reader of CSV or XML may get wrong: quotes, commas, newlines, markup, entities. */
function displayName(random: Random): string {
  const [first, second] = [word(random), word(random)]
  const hard = [
    () => `${first}, ${second}`,
    () => `"${first}" ${second}`,
    () => `${first}\n${second}`,
    () => `<${first}> & ${second} &amp; co.`,
    () => `${first} ${random.pick(marks)}`,
    () => `  ${first}\\${second}/ `,
    () => '',
  ]
  return hard[random.next(24)]?.() ?? `${first} ${second}`
}

const makeUser: MakeRow = (id, random) => [
  id,
  // The number in base 36 makes each username unique.
  `${word(random)}${random.pick(['_', '.', '-', ' '])}${id.toString(36)}`,
  random.next(3) === 0 ? '' : `${random.pick(['c', 'C', 'chat:', '星'])}${id * 7}`,
  displayName(random),
  random.next(12) - 1,
  1_000_000_000 + random.next(800_000_000),
  random.next(10) > 0,
  random.next(50) === 0,
]

const makeApp: MakeRow = (id, random) => {
  const slug = `${random.pick(ascii)}-${id.toString(36)}`
  const version = `${random.next(20)}.${random.next(30)}.${random.next(100)}`
  const changelog = `https://releases.example/${slug}/changelog?from=${random.next(9)}&to=${version}`
  const folder = random.pick(['', `${encodeURIComponent(word(random))}/`])
  const download = `https://releases.example/get/${folder}${id}/`
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
export function createRandom(seed: number) {
  let state = seed | 0
  /** @returns an integer from 0 to `below` - 1 */
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
