import { optional } from '../../../setting-kinds.ts'
import { hearErrors } from './error-body.ts'
import { habit } from './habit.ts'
import { jsonType } from './json-type.ts'
import { allowedMediaType, isMediaType } from './media-type.ts'

/** PHP sends text/html where a script ends with die('…'). */
export const errorType = habit({
  setting: optional(
    'LEGACY_ERROR_TYPE',
    allowedMediaType,
    'the Content-Type of errors but those in XML; unset: that of what they are',
    (text) => (isMediaType(text) ? text : undefined),
  ),
  effect: (value, { error, errorType }) =>
    error === null || value === null || value !== errorType
      ? null
      : `The Content-Type of the error is ${value}.`,
  tell: async (probing) => {
    const { first } = await hearErrors(probing, (question) => question)
    const type = String(first?.headers['content-type'] ?? '')
    if (first === null || !isMediaType(type)) return null
    const isUsual = first.text.trimStart().startsWith('{') && type === (await jsonType.tell(probing))
    return isUsual ? null : type
  },
})
