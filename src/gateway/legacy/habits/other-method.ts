import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn } from './heard.ts'
import { questions } from './questions.ts'

/** The last branch of an old service: `else` by id or by username, or a `switch` that finds nothing. */
export const otherMethod = habit({
  setting: oneOf(
    'LEGACY_OTHER_METHOD',
    'refuse',
    ['refuse', 'refuse-empty', 'id', 'username', 'unknown'],
    'what an unknown MethodOfAccessingUserInformation means: an error (refuse-empty: an empty one, too), id, username, or that nothing matches',
  ),
  effect: (value, { error, parameters }) => {
    if (value === 'refuse-empty')
      return error?.code === 'UnknownMethod' ? 'An unknown method is refused.' : null
    const method = 'MethodOfAccessingUserInformation'
    if (!parameters.some(({ name, isOther }) => name === method && isOther)) return null
    return value === 'unknown'
      ? 'With an unknown method, nothing matches.'
      : `An unknown method means ${value}.`
  },
  tell: async ({ ask, ids: [id = ''], username }) => {
    const said = async (value: string) => {
      const heard = await ask(questions.by('nosuchmethod', [value]))
      return heard?.entries ?? null
    }
    const byId = await said(id)
    if (byId === null) {
      const empty = await ask(questions.by('', [id]))
      return fieldsIn(empty?.entries?.get(id)) === null ? 'refuse-empty' : 'refuse'
    }
    if (fieldsIn(byId.get(id)) !== null) return 'id'
    // However it names the entry.
    const byName = [...((await said(username))?.values() ?? [])]
    const isUser = byName.some((one) =>
      fieldsIn(one)?.some(([field, { text }]) => field === 'Username' && text === username),
    )
    return isUser ? 'username' : 'unknown'
  },
})

/** Whether an empty method is as good as none. With `??`, which sees only what is missing, it is not. */
export function isEmptyMethodId(value: 'refuse' | 'refuse-empty' | 'id' | 'username' | 'unknown'): boolean {
  return value === 'refuse' || value === 'id'
}
