import { messageIn, parseEntryTemplate } from '../../../entry-template.ts'
import { pairedTexts, parseTexts } from '../../../paired-texts.ts'
import { setting as settingOf } from '../../../setting-kinds.ts'
import { errorReader } from './error-body.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, isRefused } from './heard.ts'
import { UNKNOWN } from './questions.ts'
import { unknown } from './unknown.ts'
import { entryAsWritten, type HeardUnknown, hearUnknown, hearUnknownApp } from './unknown-heard.ts'

const VALUE = '{value}'

/** Characters of the text of an error. */
const MAX_LENGTH = 200

const setting = settingOf(
  'LEGACY_UNKNOWN_TEXT',
  'Not found',
  'up to 200 characters, with {value} once at most; or two such texts, with a vertical bar between blanks',
  'the text where nothing is found and that is an error; {value} stands for what was asked for; of two texts, the second is for apps',
  (text) => (parseTexts(text, isUnknownText) === null ? undefined : text),
)

function isUnknownText(text: string): boolean {
  return isErrorText(text) && text.split(VALUE).length <= 2
}

/** Whether a text may be that of an error. */
export function isErrorText(text: string): boolean {
  return text !== '' && text.length <= MAX_LENGTH && !/\p{Cc}/u.test(text)
}

export const unknownText = habit({
  setting,
  effect: (text, { error }) =>
    error?.code === 'NothingFound' ? `The text of the error is "${text}".` : null,
  tell: async (probing) => {
    const read = await errorReader(probing)
    const template = parseEntryTemplate((await unknown.tell(probing)) ?? '')
    const textIn = ({ pair, alone }: HeardUnknown) => {
      const texts = [pair, alone].map((heard) => {
        const written = entryAsWritten(heard)
        const inEntry = template === null ? entryText(heard) : messageIn(template, written)
        return inEntry ?? (isRefused(heard) ? read(heard) : null)
      })
      return texts.find((text) => text !== null && text !== '')?.replace(UNKNOWN, VALUE) ?? null
    }
    const users = textIn(await hearUnknown(probing))
    if (users === null) return null
    const apps = textIn(await hearUnknownApp(probing))
    const texts = pairedTexts(users, apps !== null && isUnknownText(apps) ? apps : null)
    return texts === null ? null : (setting.parse(texts) ?? null)
  },
})

/** Of an entry that is an error. */
function entryText(heard: Heard | null): string | null {
  const [field, ...others] = fieldsIn(heard?.entries?.get(UNKNOWN)) ?? []
  const [name = '', value] = field ?? []
  return others.length === 0 && /^error$/i.test(name) && value?.type === 'string' ? value.text : null
}

/** The text before the value, and the one after it; only the first where no value is in it. */
export function partsOf(text: string): readonly [before: string, after?: string] {
  const [before = '', after] = text.split(VALUE)
  return after === undefined ? [before] : [before, after]
}
