import { integer } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

const YEAR_SECONDS = 31_536_000

export const maxAge = habit({
  setting: integer('LEGACY_MAX_AGE', '0', 0, YEAR_SECONDS, 'seconds that answers may be cached'),
  effect: (seconds, { error }) => (error === null ? `Caches may keep the answer for ${seconds} s.` : null),
  tell: async ({ ask, ids: [id = ''] }) => {
    const cached = (await ask(questions.byId([id])))?.headers['cache-control']
    const seconds = Number(/\bmax-age=(\d{1,15})\b/.exec(String(cached ?? ''))?.[1] ?? 0)
    return String(Math.min(seconds, YEAR_SECONDS))
  },
})
