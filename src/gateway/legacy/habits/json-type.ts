import { habit } from './habit.ts'
import { mediaType } from './media-type.ts'
import { questions } from './questions.ts'

const setting = mediaType(
  'LEGACY_JSON_TYPE',
  'application/json; charset=utf-8',
  'the Content-Type of JSON answers and errors',
)

/** PHP sends text/html where a service does not say otherwise; jQuery reads JSON by its type. */
export const jsonType = habit({
  setting,
  effect: (value, { format }) => (format === 'JSON' ? `The Content-Type is ${value}.` : null),
  tell: async ({ ask, ids: [id = ''] }) => {
    const heard = await ask(questions.byId([id]))
    const type = String(heard?.headers['content-type'] ?? '')
    return setting.parse(type) ?? null
  },
})
