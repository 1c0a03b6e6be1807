import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn } from './heard.ts'
import { questions } from './questions.ts'

/** The last branch of an old service: `else` by id or by username, or a `switch` that finds nothing. */
export const otherMethod = habit({
  setting: oneOf(
    'LEGACY_OTHER_METHOD',
    'refuse',
    ['refuse', 'id', 'username', 'unknown'],
    'what an unknown MethodOfAccessingUserInformation means: an error, id, username, or that nothing matches',
  ),
  effect: (value, { error, parameters }) => {
    if (value === 'refuse') return error?.code === 'UnknownMethod' ? 'An unknown method is refused.' : null
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
    if (byId === null) return 'refuse'
    if (fieldsIn(byId.get(id)) !== null) return 'id'
    // However it names the entry.
    const byName = [...((await said(username))?.values() ?? [])]
    const isUser = byName.some((one) =>
      fieldsIn(one)?.some(([field, { text }]) => field === 'Username' && text === username),
    )
    return isUser ? 'username' : 'unknown'
  },
})
