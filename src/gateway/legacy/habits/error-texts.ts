import { pairedTexts, parseTexts, type Subject, textFor } from '../../../paired-texts.ts'
import { optional } from '../../../setting-kinds.ts'
import { allowedByCode, appQuestionOf, canStand, ofError, pairsByCode, tellByCode } from './by-code.ts'
import { errorReader } from './error-body.ts'
import { habit } from './habit.ts'
import type { Heard } from './heard.ts'
import { isErrorText } from './unknown-text.ts'

const areTexts = (texts: string) => parseTexts(texts, isErrorText) !== null

export const errorTexts = habit({
  setting: optional(
    'LEGACY_ERROR_TEXTS',
    allowedByCode('TEXT'),
    "the old service's own texts of errors, such as UnknownEvent=No such event;MissingParameter=Users missing; of two texts with a vertical bar between blanks, the second is for apps",
    (text) => (pairsByCode(text, areTexts) === null ? undefined : text),
  ),
  effect: (texts, { error }) =>
    error !== null && ofError(errorTextsIn(texts, 'users'), error) !== undefined
      ? "The text of the error is the old service's."
      : null,
  tell: async (probing) => {
    const read = await errorReader(probing)
    // None where it quotes what was asked for.
    const textIn = (heard: Heard | null, quoted: readonly string[]) => {
      const text = read(heard)?.trim() ?? ''
      const isWhole = isErrorText(text) && canStand(text)
      return isWhole && !quoted.some((value) => text.includes(value)) ? text : null
    }
    return tellByCode(probing, async (heard, quoted, code) => {
      const users = textIn(heard, quoted)
      const question = users === null ? null : appQuestionOf(code, probing)
      if (users === null || question === null) return users === null ? null : pairedTexts(users, null)
      return pairedTexts(users, textIn(await probing.ask(question), quoted))
    })
  },
})

/** By code. */
export function errorTextsIn(texts: string | null, subject: Subject): ReadonlyMap<string, string> {
  const pairs = texts === null ? null : pairsByCode(texts, areTexts)
  return new Map(pairs?.map(([code, both]) => [code, textFor(subject, both)]))
}
