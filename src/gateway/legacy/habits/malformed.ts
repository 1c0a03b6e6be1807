import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { isRefused, type Probing } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

const { byId } = questions

/** No identifier by any reading. */
export const MALFORMED = 'abc'

export const malformed = habit({
  setting: oneOf(
    'LEGACY_MALFORMED',
    'reject',
    ['reject', 'unknown', 'drop'],
    'whether a malformed numeric identifier is an error, matches nothing, or is dropped',
  ),
  effect: (value, { hasMalformed }) => {
    if (!hasMalformed) return null
    return value === 'drop' ? 'A malformed identifier is dropped.' : 'A malformed identifier matches nothing.'
  },
  tell: async (probing) => {
    const { ask, ids, listLimit } = probing
    const [id = ''] = ids
    // Where a list may have one only, two are refused for being two.
    const isAlone = (await listLimit()).most === 1
    const heard = await ask(byId(isAlone ? [MALFORMED] : [id, MALFORMED]))
    if (await isDropped(probing, isAlone)) return 'drop'
    // A firewall that objects to letters tells nothing of the service behind it.
    return isRefused(heard) ? 'reject' : heard?.entries == null ? null : 'unknown'
  },
})

/**
 * `array_filter($ids, 'ctype_digit')`: what is left out has no entry where an unknown one has, and a list of
 * nothing else is a list without values.
 */
async function isDropped({ ask, ids: [id = ''] }: Probing, isAlone: boolean): Promise<boolean> {
  const pair = isAlone ? null : await ask(byId([id, MALFORMED]))
  // A cast names it 0.
  if (!isAlone && pair?.entries?.size !== 1) return false
  const beside = isAlone ? null : await ask(byId([id, UNKNOWN]))
  if (beside?.entries?.has(UNKNOWN) === true) return true
  const answers = [await ask(byId([MALFORMED])), await ask(byId(['', '', ''])), await ask(byId([UNKNOWN]))]
  const [alone, none, unknown] = answers.map((heard) =>
    heard === null ? null : `${heard.status} ${heard.text}`,
  )
  return isRefused(answers[0] ?? null) && alone === none && alone !== unknown
}
