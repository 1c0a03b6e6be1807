import { parseTemplate } from '../../../error-template.ts'
import { optional } from '../../../setting-kinds.ts'
import { allowedByCode, ofError, pairsByCode, tellByCode } from './by-code.ts'
import { codeReader } from './error-body.ts'
import { habit } from './habit.ts'

const isWord = (text: string) => /^[\w.-]{1,60}$/.test(text)

export const errorCodes = habit({
  setting: optional(
    'LEGACY_ERROR_CODES',
    allowedByCode('WORD'),
    "the old service's own words for the codes of errors, such as UnknownEvent=bad_event",
    (text) => (pairsByCode(text, isWord) === null ? undefined : text),
  ),
  effect: (codes, { error, errorBody }) =>
    error !== null && hasCode(errorBody) && ofError(errorCodesIn(codes), error) !== undefined
      ? "The code of the error is the old service's."
      : null,
  tell: async (probing) => {
    const read = await codeReader(probing)
    return tellByCode(probing, (heard, _, code) => {
      const word = read(heard)
      return word !== null && word !== code && isWord(word) ? word : null
    })
  },
})

function hasCode(body: string): boolean {
  return body === 'object' || parseTemplate(body)?.parts.includes('{code}') === true
}

/** By code of the gateway. */
export function errorCodesIn(codes: string | null): ReadonlyMap<string, string> {
  return new Map(codes === null ? [] : pairsByCode(codes, isWord))
}
