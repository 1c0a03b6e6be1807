import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

/** `explode()` makes a value of what is between two colons, even where that is nothing. */
export const emptyValues = habit({
  setting: oneOf(
    'LEGACY_EMPTY_VALUES',
    'drop',
    ['drop', 'keep'],
    'whether empty values of a list, as in 1::2, are dropped, or kept as values that match nothing (numeric identifiers: that are malformed)',
  ),
  effect: (_, { list, values, error }) => {
    const isRefused = error?.code === 'MalformedIdentifier' && list.split(/[:,]/).includes('')
    return values.includes('') || isRefused ? 'An empty value counts as one.' : null
  },
  tell: async ({ ask, ids: [id = ''] }) => {
    const usual = await ask(questions.byId([id, id]))
    const heard = await ask(questions.byId([id, '', id]))
    if (usual?.entries == null || heard === null) return null
    if (heard.isRefusal) return 'keep'
    return [...(heard.entries ?? [])].some(([name]) => !usual.entries?.has(name)) ? 'keep' : 'drop'
  },
})

/** All segments of a list, empty ones too; of more than `most`, one more than that. */
export function keptSegments(list: string, most: number, isOnceEach: boolean): string[] {
  const segments = list.split(':')
  return (isOnceEach ? [...new Set(segments)] : segments).slice(0, most + 1)
}
