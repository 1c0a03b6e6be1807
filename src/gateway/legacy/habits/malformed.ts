import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isRefused } from './heard.ts'
import { questions } from './questions.ts'

const { byId } = questions

export const malformed = habit({
  setting: oneOf(
    'LEGACY_MALFORMED',
    'reject',
    ['reject', 'unknown'],
    'whether a malformed numeric identifier is an error, or matches nothing',
  ),
  effect: (value, { hasMalformed, error }) => {
    if (value === 'reject')
      return error?.code === 'MalformedIdentifier' ? 'A malformed identifier is refused.' : null
    return hasMalformed ? 'A malformed identifier matches nothing.' : null
  },
  tell: async ({ ask, ids: [id = ''], listLimit }) => {
    const { most } = await listLimit()
    // Where a list may have one only, two are refused for being two.
    const heard = await ask(byId(most === 1 ? ['abc'] : [id, 'abc']))
    // A firewall that objects to letters tells nothing of the service behind it.
    return isRefused(heard) ? 'reject' : heard?.entries == null ? null : 'unknown'
  },
})
