import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

/** 200 is for clients that cannot read a body behind another status. */
export const errorStatus = habit({
  setting: oneOf(
    'LEGACY_ERROR_STATUS',
    'http',
    ['http', '200'],
    'HTTP status of errors: their own, or always 200',
  ),
  effect: (value, { error }) => {
    if (error === null) return null
    return value === 'http'
      ? 'Errors are answered with a status of their own.'
      : 'Errors are answered with status 200.'
  },
  tell: async ({ ask }) => {
    const heard = await ask(questions.unknownEvent)
    return heard?.isRefusal && heard.status === 200 ? '200' : 'http'
  },
})
