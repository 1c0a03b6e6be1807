import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isRefused } from './heard.ts'
import { questions } from './questions.ts'
import { parseErrorStatus } from './unknown-status.ts'

/** 200 is for clients that cannot read a body behind another status. */
export const errorStatus = habit({
  setting: setting(
    'LEGACY_ERROR_STATUS',
    'http',
    'http, 200, or a status from 400 to 599',
    'HTTP status of errors: their own, always 200, or one for all that is wrong with requests',
    (text): 'http' | number | undefined => (text === 'http' ? text : parseErrorStatus(text)),
  ),
  effect: (value, { error }) => {
    if (error === null) return null
    return value === 'http'
      ? 'Errors are answered with a status of their own.'
      : `Errors are answered with status ${value}.`
  },
  tell: async ({ ask, ids: [id = ''] }) => {
    const wrong = [questions.unknownEvent, 'Event=ProfileLookup', questions.by('nosuchmethod', [id])]
    const heard = []
    for (const question of wrong) heard.push(await ask(question))
    const statuses = new Set(heard.flatMap((one) => (one !== null && isRefused(one) ? [one.status] : [])))
    const [status] = statuses
    if (status === undefined) return null
    // 400 is what each of them has anyway.
    if (statuses.size > 1 || status === 400) return 'http'
    return parseErrorStatus(String(status)) === undefined ? null : String(status)
  },
})
