import { parseTemplate } from '../../../error-template.ts'
import { optional } from '../../../setting-kinds.ts'
import { allowedTemplate, errorBody, errorInWords, hearErrors, seen } from './error-body.ts'
import { wordInXml } from './error-in.ts'
import { shapeOf } from './error-shape.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

const words: readonly string[] = ['object', 'text', 'none']

/**
 * Services have one function for all errors, whatever format was asked for, or another element than Error.
 */
export const errorBodyXml = habit({
  setting: optional(
    'LEGACY_ERROR_BODY_XML',
    `${words.join(', ')}, or ${allowedTemplate}`,
    'the same where XML is asked for: two elements, one, empty, or that text, which may be JSON; unset: as LEGACY_ERROR_BODY has it',
    (text) => (words.includes(text) || parseTemplate(text) !== null ? text : undefined),
  ),
  effect: (value, { error, format }) =>
    error === null || format !== 'XML' || value === null ? null : errorInWords(value, format),
  tell: async (probing) => {
    const { first, second } = await hearErrors(probing, questions.inXml)
    if (first === null) return null
    const told = tellBody()
    const usual = await errorBody.tell(probing)
    return told === (usual === 'lower-case' ? 'text' : usual) ? null : told

    function tellBody(): string | null {
      if (first === null) return null
      if (first.text === '') return 'none'
      return wordInXml(first.text) ?? shapeOf(seen(first), second === null ? null : seen(second))
    }
  },
})

/** What an error is where this format is asked for. */
export function errorBodyIn(
  format: 'JSON' | 'XML',
  { errorBody, errorBodyXml }: { readonly errorBody: string; readonly errorBodyXml: string | null },
): string {
  return format === 'JSON' ? errorBody : (errorBodyXml ?? errorBody)
}
