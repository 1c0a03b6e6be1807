import { oneOf } from '../../../setting-kinds.ts'
import { type Habit, habit } from './habit.ts'
import { fieldsIn, type Heard, isRefused, type Probing, type Said } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

const { byId } = questions

const choices = ['omit', 'null', 'false', '{}', '[]', 'nulls', 'error', 'refuse'] as const
type Choice = (typeof choices)[number]

export const unknown: Habit<Choice, 'LEGACY_UNKNOWN'> = habit({
  setting: oneOf(
    'LEGACY_UNKNOWN',
    'omit',
    choices,
    'what an identifier that matches nothing becomes; nulls: all fields null, error: an entry with LEGACY_UNKNOWN_TEXT, refuse: the whole answer is that error',
  ),
  effect: (value, { missing, error }) => {
    if (value === 'refuse')
      return error?.code === 'NothingFound' ? 'The whole answer is an error: a value matches nothing.' : null
    if (missing.length === 0) return null
    const what =
      missing.length === 1
        ? 'The value that matches nothing is'
        : `The ${missing.length} values that match nothing are`
    const becomes =
      value === 'omit' ? 'left out' : `${inWords[value] ?? value} in JSON and an empty Data element in XML`
    return `${what} ${becomes}.`
  },
  tell: async (probing) => {
    const { pair, alone } = await hearUnknown(probing)
    const said = pair?.entries?.get(UNKNOWN) ?? alone?.entries?.get(UNKNOWN)
    if (said !== undefined) return formOf(said)
    if (pair?.entries != null) return 'omit'
    // A list of two is refused for being two, where that is too many: then the other is all there is to see.
    return isRefused(pair ?? alone) ? 'refuse' : alone?.entries == null ? null : 'omit'
  },
})

const inWords: Readonly<Partial<Record<Choice, string>>> = { nulls: 'fields of null', error: 'an error' }

/** Which value stands for an entry so; `null` where none does. */
function formOf(said: Said): Choice | null {
  const fields = fieldsIn(said)
  if (fields !== null) {
    const [first] = fields
    if (first === undefined) return '{}'
    if (fields.every(([, { type }]) => type === 'null')) return 'nulls'
    return fields.length === 1 && /^error$/i.test(first[0]) && first[1].type === 'string' ? 'error' : null
  }
  const { text } = 'text' in said ? said : { text: '' }
  return choices.find((choice) => choice === text && choice !== 'omit' && choice !== 'refuse') ?? null
}

/** What is said of an identifier that nobody has, beside one that somebody has and alone. */
export async function hearUnknown({ ask, ids: [id = ''], listLimit }: Probing): Promise<{
  /** `null` where a list may have one only. */
  readonly pair: Heard | null
  readonly alone: Heard | null
}> {
  const { most } = await listLimit()
  return {
    pair: most === 1 ? null : await ask(byId([id, UNKNOWN])),
    alone: await ask(byId([UNKNOWN])),
  }
}
