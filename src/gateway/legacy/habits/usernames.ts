import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isFound, onlyName, otherCase } from './known.ts'

const setting = oneOf(
  'LEGACY_USERNAMES',
  'fold',
  ['fold', 'exact', 'trailing-blanks'],
  'how usernames are compared: in any case, in the same spelling only, or in any case and without trailing blanks',
)

type Usernames = (typeof setting)['fallback']

/** As PHP compares texts (`exact`), or as MySQL's collations with PAD SPACE do (`trailing-blanks`). */
export const usernames = habit({
  setting,
  effect: (value, { areUsernames, values, missing }) => {
    if (!areUsernames) return null
    if (value === 'exact' && missing.length > 0) return 'Usernames match in the same spelling only.'
    return value === 'trailing-blanks' && values.some((one) => one.endsWith(' '))
      ? 'Trailing blanks of usernames do not count.'
      : null
  },
  tell: async (probing) => {
    const { username } = probing
    const other = otherCase(username)
    if (other !== username && !isFound(await onlyName(probing, other), probing))
      return isFound(await onlyName(probing, username), probing) ? 'exact' : null
    // Where a list is trimmed, blanks in front do not count, either.
    const before = isFound(await onlyName(probing, ` ${username}`), probing)
    return !before && isFound(await onlyName(probing, `${username} `), probing) ? 'trailing-blanks' : 'fold'
  },
})

/** What is asked for a username; `null` where it is asked for as it is. An empty one matches nothing. */
export function usernameReader(value: Usernames): ((username: string) => string) | null {
  if (value !== 'trailing-blanks') return null
  return (username) => {
    let end = username.length
    while (end > 0 && username.charCodeAt(end - 1) === 0x20) end--
    return username.slice(0, end)
  }
}
