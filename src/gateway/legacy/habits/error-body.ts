import { parseTemplate, partReader } from '../../../error-template.ts'
import { setting } from '../../../setting-kinds.ts'
import { errorIn, MAX_ERROR_LENGTH } from './error-in.ts'
import { shapeOf } from './error-shape.ts'
import { habit } from './habit.ts'
import { type Heard, isRefused, type Probing, utf8In } from './heard.ts'
import { refusedQuestions } from './questions.ts'

const words = ['object', 'text', 'lower-case', 'none'] as const

export const allowedTemplate = 'a template with {message}, {code} and {status}, in which \\n is a line end'

export const errorBody = habit({
  setting: setting(
    'LEGACY_ERROR_BODY',
    'object',
    `${words.join(', ')}, or ${allowedTemplate}`,
    'what an error is: {"Error":{"Code":…,"Message":…}}, {"Error":"…"}, {"error":"…"} (in XML, an Error element alike), empty, or a text such as {"detail":"{message}"}, in XML, too',
    (text) => (words.some((word) => word === text) || parseTemplate(text) !== null ? text : undefined),
  ),
  effect: (value, { error, format, errorBody }) =>
    error === null || value !== errorBody ? null : errorInWords(value, format),
  tell: async (probing) => {
    const { first, second } = await hearErrors(probing, (question) => question)
    if (first === null) return null
    if (first.text === '') return 'none'
    const error = errorIn(first)
    if (error !== null && first.text.trimStart().startsWith('{')) {
      if (error.isObject) {
        if (error.name === 'Error' && error.code !== null) return 'object'
      } else {
        const word = words.find((one) => one !== 'object' && one !== 'none' && errorName(one) === error.name)
        if (word !== undefined) return word
      }
    }
    return shapeOf(seen(first), second === null ? null : seen(second))
  },
})

export function errorInWords(value: string, format: 'JSON' | 'XML'): string {
  if (value === 'none') return 'An error has no body.'
  if (value === 'object') return 'An error has a code and a message.'
  if (parseTemplate(value) !== null) return 'The error is written as the template says.'
  return `An error is a text, named ${format === 'XML' ? 'Error' : errorName(value)}.`
}

/** What an error is named in JSON. In XML all names begin with a capital, even where those of JSON do not. */
export function errorName(value: string): string {
  return value === 'lower-case' || /^\s*\{\s*"error"/.test(value) ? 'error' : 'Error'
}

/** Two errors of which the texts differ, where there are so many. */
export async function hearErrors(
  { ask, ids: [id = ''], apps: [app] }: Probing,
  inFormat: (question: string) => string,
): Promise<{ readonly first: Heard | null; readonly second: Heard | null }> {
  let first: Heard | null = null
  for (const question of refusedQuestions(id, app)) {
    const heard = await ask(inFormat(question))
    if (heard === null || !isRefused(heard) || heard.text.length > MAX_ERROR_LENGTH) continue
    if (first === null) first = heard
    else if (heard.text !== first.text) return { first, second: heard }
  }
  return { first, second: null }
}

export const seen = (heard: Heard) => ({ status: heard.status, text: utf8In(heard) })

/** Reads the text of an error, as the service writes its errors. */
export async function errorReader(probing: Probing): Promise<(heard: Heard | null) => string | null> {
  const template = parseTemplate((await errorBody.tell(probing)) ?? '')
  if (template === null) return (heard) => errorIn(heard)?.text ?? null
  const read = partReader(template, '{message}')
  return (heard) =>
    heard === null || !heard.isRefusal || heard.text.length > MAX_ERROR_LENGTH
      ? null
      : (read(utf8In(heard)) ?? errorIn(heard)?.text ?? null)
}

/** Reads the code of an error. */
export async function codeReader(probing: Probing): Promise<(heard: Heard) => string | null> {
  const body = (await errorBody.tell(probing)) ?? ''
  if (body === 'object') return (heard) => errorIn(heard)?.code ?? null
  const template = parseTemplate(body)
  if (template === null || !template.parts.includes('{code}')) return () => null
  const read = partReader(template, '{code}')
  return (heard) => (heard.isRefusal && heard.text.length <= MAX_ERROR_LENGTH ? read(utf8In(heard)) : null)
}
