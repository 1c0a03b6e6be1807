import { setting as settingOf } from '../../../setting-kinds.ts'
import { errorReader } from './error-body.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, isRefused } from './heard.ts'
import { UNKNOWN } from './questions.ts'
import { hearUnknown } from './unknown.ts'

const VALUE = '{value}'

/** Characters of the text of an error. */
const MAX_LENGTH = 200

const setting = settingOf(
  'LEGACY_UNKNOWN_TEXT',
  'Not found',
  'up to 200 characters, with {value} once at most',
  'the text where nothing is found and that is an error; {value} stands for what was asked for',
  (text) => (isErrorText(text) && text.split(VALUE).length <= 2 ? text : undefined),
)

/** Whether a text may be that of an error. */
export function isErrorText(text: string): boolean {
  return text !== '' && text.length <= MAX_LENGTH && !/\p{Cc}/u.test(text)
}

export const unknownText = habit({
  setting,
  effect: (text, { error }) =>
    error?.code === 'NothingFound' ? `The text of the error is "${text}".` : null,
  tell: async (probing) => {
    const { pair, alone } = await hearUnknown(probing)
    const read = await errorReader(probing)
    const texts = [pair, alone].map(
      (heard) => entryText(heard) ?? (isRefused(heard) ? (read(heard) ?? undefined) : undefined),
    )
    const text = texts.find((one) => one !== undefined)
    return text === undefined ? null : (setting.parse(text.replace(UNKNOWN, VALUE)) ?? null)
  },
})

/** Of an entry that is an error. */
function entryText(heard: Heard | null): string | undefined {
  const [field, ...others] = fieldsIn(heard?.entries?.get(UNKNOWN)) ?? []
  const [name = '', value] = field ?? []
  return others.length === 0 && /^error$/i.test(name) && value?.type === 'string' ? value.text : undefined
}

/** The text before the value, and the one after it; only the first where no value is in it. */
export function partsOf(text: string): readonly [before: string, after?: string] {
  const [before = '', after] = text.split(VALUE)
  return after === undefined ? [before] : [before, after]
}
