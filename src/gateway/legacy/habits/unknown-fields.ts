// Entries of a row that was not found: each field is null, or what PHP casts null to.

import { booleans, digitsOf } from './booleans.ts'
import { fieldsIn, type Probing, type SaidValue } from './heard.ts'
import { questions } from './questions.ts'

type FieldType = 'integer' | 'string' | 'boolean'
type SaidFields = readonly (readonly [field: string, value: SaidValue])[]

/** Which types are cast, by the value of LEGACY_UNKNOWN. */
const casts: Readonly<Record<string, readonly FieldType[]>> = {
  nulls: [],
  'nulls+0': ['integer'],
  'nulls+false': ['boolean'],
  'nulls+0+false': ['integer', 'boolean'],
  zeros: ['integer', 'string', 'boolean'],
}

/** Which types of fields are cast; `null` where an entry is something else than fields. */
export function castsIn(unknown: string): readonly FieldType[] | null {
  return (Object.hasOwn(casts, unknown) ? casts[unknown] : undefined) ?? null
}

const types: readonly FieldType[] = ['integer', 'string', 'boolean']
const integers: readonly string[] = ['Id', 'Rank', 'JoinDate', 'Category']
const flags: readonly string[] = ['IsConfirmed', 'Banned']

export function typeOf(field: string): FieldType {
  return integers.includes(field) ? 'integer' : flags.includes(field) ? 'boolean' : 'string'
}

/** Which value of the setting has an entry with such fields; `null` where none has. */
export async function formOfFields(fields: SaidFields, probing: Probing): Promise<string | null> {
  if (fields.every(([, { type }]) => type === 'null')) return 'nulls'
  const { ask, ids } = probing
  const [id = ''] = ids
  const known = new Map(fieldsIn((await ask(questions.byId([id])))?.entries?.get(id)) ?? [])
  if (known.size !== fields.length || !fields.every(([name]) => known.has(name))) return null
  const form = (await booleans.tell(probing)) ?? 'boolean'
  const isCast = ([name, { type, text }]: SaidFields[number]) => {
    // A text may be a number where somebody has it, by JSON_NUMERIC_CHECK; an empty one never is.
    if (typeOf(name) === 'string') return type === 'string' && text === ''
    if (type !== known.get(name)?.type) return false
    if (typeOf(name) === 'integer') return text === '0'
    return text === (digitsOf(form, name === 'Banned' ? 'flag' : 'digit')?.[0] ?? 'false')
  }
  const cast: FieldType[] = []
  for (const type of types) {
    const some = fields.filter(([name]) => typeOf(name) === type)
    if (some.every(isCast)) cast.push(type)
    else if (!some.every(([, value]) => value.type === 'null')) return null
  }
  return Object.keys(casts).find((word) => casts[word]?.join() === cast.join()) ?? null
}
