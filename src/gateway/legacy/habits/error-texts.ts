import { optional } from '../../../setting-kinds.ts'
import { allowedByCode, ofError, pairsByCode, tellByCode } from './by-code.ts'
import { errorReader } from './error-body.ts'
import { habit } from './habit.ts'
import { isErrorText } from './unknown-text.ts'

export const errorTexts = habit({
  setting: optional(
    'LEGACY_ERROR_TEXTS',
    allowedByCode('TEXT'),
    "the old service's own texts of errors, such as UnknownEvent=No such event;MissingParameter=Users missing",
    (text) => (pairsByCode(text, isErrorText) === null ? undefined : text),
  ),
  effect: (texts, { error }) =>
    error !== null && ofError(errorTextsIn(texts), error) !== undefined
      ? "The text of the error is the old service's."
      : null,
  // None where it quotes what was asked for.
  tell: async (probing) => {
    const read = await errorReader(probing)
    return tellByCode(probing, (heard, quoted) => {
      const text = read(heard)?.trim() ?? ''
      const isWhole = isErrorText(text) && !text.includes(';')
      return isWhole && !quoted.some((value) => text.includes(value)) ? text : null
    })
  },
})

/** By code. */
export function errorTextsIn(texts: string | null): ReadonlyMap<string, string> {
  return new Map(texts === null ? [] : pairsByCode(texts, isErrorText))
}
