import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Probing } from './heard.ts'
import { questions } from './questions.ts'

const words = ['number', 'string'] as const
type Word = (typeof words)[number]

const fields = ['Id', 'Rank', 'JoinDate', 'Category'] as const
type NumberField = (typeof fields)[number]

/** Old MySQL drivers give every column as text, and PHP passes it on, unless it casts a few by hand. */
export const numbers = habit({
  setting: setting(
    'LEGACY_NUMBERS',
    'number',
    `${words.join(', ')}; after commas, others for fields, such as Id=number`,
    'how JSON writes integers: 1 or "1"',
    (text) => (parse(text) === null ? undefined : text),
  ),
  effect: (value, { format, error }) => {
    if (format !== 'JSON' || error !== null) return null
    const texts = fields.filter((field) => isTextIn(value, field))
    if (texts.length === 0) return null
    return texts.length === fields.length ? 'Integers are strings.' : `${texts.join(', ')} are strings.`
  },
  tell: async (probing) => {
    const seen = await hear(probing)
    const texts = [...seen.values()].filter((word) => word === 'string').length
    if (seen.size === 0) return null
    const most: Word = texts * 2 > seen.size ? 'string' : 'number'
    return [most, ...[...seen].flatMap(([field, word]) => (word === most ? [] : `${field}=${word}`))].join()
  },
})

/** Whether JSON has a field as text. */
export function isTextIn(value: string, field: string): boolean {
  const { word = 'number', others = new Map<string, Word>() } = parse(value) ?? {}
  return (others.get(field) ?? word) === 'string'
}

interface Numbers {
  readonly word: Word
  readonly others: ReadonlyMap<string, Word>
}

function parse(text: string): Numbers | null {
  const [first, ...rest] = text.split(',', fields.length + 2)
  const word = wordOf(first)
  if (word === null) return null
  const others = new Map<string, Word>()
  for (const one of rest) {
    const [name, given, ...more] = one.split('=')
    const field = fields.find((known) => known === name)
    const own = wordOf(given)
    if (field === undefined || own === null || more.length > 0 || others.has(field)) return null
    others.set(field, own)
  }
  return { word, others }
}

function wordOf(text: string | undefined): Word | null {
  return words.find((word) => word === text) ?? null
}

/** What each field is, as far as that is seen; none where a field is now this and now that. */
async function hear({ ask, ids, apps }: Probing): Promise<ReadonlyMap<NumberField, Word>> {
  const users = (await ask(questions.byId(ids)))?.entries ?? null
  const first = users ?? (await ask(questions.byId(ids.slice(0, 1))))?.entries ?? []
  const ofApps = apps.length === 0 ? [] : ((await ask(questions.apps(apps.slice(0, 1))))?.entries ?? [])
  const said = [...first, ...ofApps].flatMap(([, entry]) => fieldsIn(entry) ?? [])
  const seen = new Map<NumberField, Word>()
  for (const [name, { type }] of said) {
    const field = fields.find((known) => known === name)
    if (field === undefined) continue
    const word = wordOf(type)
    if (word === null || (seen.has(field) && seen.get(field) !== word)) return new Map()
    seen.set(field, word)
  }
  return seen
}
