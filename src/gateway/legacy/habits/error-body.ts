import { oneOf } from '../../../setting-kinds.ts'
import { errorIn } from './error-in.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

const choices = ['object', 'text', 'lower-case'] as const

export const errorBody = habit({
  setting: oneOf(
    'LEGACY_ERROR_BODY',
    'object',
    choices,
    'what an error is: {"Error":{"Code":…,"Message":…}}, {"Error":"…"} or {"error":"…"}; in XML, an Error element alike',
  ),
  effect: (value, { error, format }) =>
    error === null || value === 'object'
      ? null
      : `An error is a text, named ${format === 'XML' ? 'Error' : errorName(value)}.`,
  tell: async ({ ask }) => {
    const error = errorIn(await ask(questions.unknownEvent))
    if (error === null) return null
    if (error.isObject) return error.name === 'Error' && error.hasCode ? 'object' : null
    return choices.find((choice) => choice !== 'object' && errorName(choice) === error.name) ?? null
  },
})

/** What an error is named in JSON. In XML all names begin with a capital, even where those of JSON do not. */
export function errorName(value: (typeof choices)[number]): string {
  return value === 'lower-case' ? 'error' : 'Error'
}
