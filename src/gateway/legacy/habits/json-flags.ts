import { onlyOneOf, someOf } from '../../../setting-kinds.ts'
import { capitalised } from '../../../text.ts'
import { hearFields } from './fields.ts'
import { habit } from './habit.ts'
import { askAll, type Probing, sampleQuestions } from './heard.ts'
import { hexFlags, hexFlagsIn } from './json-hex.ts'
import { indentFlags, layoutFlags, layoutFlagsIn } from './json-layout.ts'
import { isCheckSeen } from './numeric-check.ts'
import { questions } from './questions.ts'

const flags = [
  ...(['unescaped-unicode', 'unescaped-slashes'] as const),
  ...hexFlags,
  'numeric-check',
  ...layoutFlags,
  'sorted',
] as const
type Flag = (typeof flags)[number]

const setting = onlyOneOf(
  someOf(
    'LEGACY_JSON_FLAGS',
    flags,
    "how JSON is written: PHP's flags of json_encode (pretty: four blanks; numeric-check: texts that look like numbers are numbers), other indentation, a newline at the end, blanks after , and : (Python) or before : (Perl), entries and fields sorted by their names",
  ),
  [indentFlags, ['hex-tag', 'hex-tag-lower']],
)

export const jsonFlags = habit({
  setting,
  effect: (value, { format }) =>
    format === 'JSON' ? capitalised(`${value.map((flag) => inWords[flag]).join(', ')}.`) : null,
  tell: async (probing) => {
    const { ask, ids, apps } = probing
    const heard = [
      await ask(questions.byId(ids.slice(0, 1))),
      await askApp(probing, apps),
      ...(await askAll(probing, sampleQuestions(probing))),
    ]
    const written = heard.flatMap((one) => (one?.entries == null ? [] : [one.text]))
    const [first = ''] = written
    if (first === '') return null
    const { found } = await probing.listLimit()
    const said = [...heard.flatMap((one) => [...(one?.entries?.values() ?? [])]), ...found.values()]
    const told: readonly Flag[] = [
      ...charactersOf(await withRareCharacters(probing, written)),
      ...(isCheckSeen(said) ? (['numeric-check'] as const) : []),
      ...layoutFlagsIn(first),
      ...((await hearFields(probing)).isSorted ? (['sorted'] as const) : []),
    ]
    return flags.filter((flag) => told.includes(flag)).join(',') || 'none'
  },
})

const inWords: Readonly<Record<Flag, string>> = {
  'unescaped-unicode': 'characters beyond ASCII are UTF-8',
  'unescaped-slashes': 'slashes are not escaped',
  'hex-tag': '< and > are \\u003C and \\u003E',
  'hex-tag-lower': '< and > are \\u003c and \\u003e',
  'hex-amp': '& is \\u0026',
  'hex-apos': "' is \\u0027",
  'hex-quot': '" is \\u0022',
  'numeric-check': 'texts that look like numbers are numbers',
  pretty: 'the JSON is indented',
  'indent-2': 'the JSON is indented by two blanks',
  'indent-3': 'the JSON is indented by three blanks',
  'indent-tab': 'the JSON is indented by tabs',
  newline: 'a newline is at the end',
  spaced: 'a blank is after , and :',
  'spaced-colons': 'a blank is before :',
  sorted: 'entries and fields are in the order of their names',
}

async function askApp({ ask }: Probing, [app]: readonly string[]) {
  return app === undefined ? null : ask(questions.apps([app]))
}

/**
 * Many a service names a value that it does not know, or quotes it: where rows have neither é nor a slash.
 */
async function withRareCharacters({ ask, ids, username }: Probing, written: readonly string[]) {
  const isEnough = (texts: readonly string[]) =>
    texts.some((text) => beyondAscii.test(text)) && texts.some((text) => text.includes('/'))
  const all = [...written]
  for (const question of [questions.byId(ids), questions.by('username', [`${username}é/`])]) {
    if (isEnough(all)) break
    const heard = await ask(question)
    // A page of HTML is full of slashes.
    if (heard !== null && /^\s*[[{]/.test(heard.text)) all.push(heard.text)
  }
  return all.join('')
}

/** Bytes of UTF-8, or an escape: of U+2028 and U+2029 it says nothing. */
const beyondAscii = /[\x80-\xff]|\\u(?!00[0-7]|202[89])[0-9a-f]{4}/i

function charactersOf(text: string): readonly Flag[] {
  return [
    ...(/[\x80-\xff]/.test(text) ? (['unescaped-unicode'] as const) : []),
    ...(/(?<!\\)\//.test(text) ? (['unescaped-slashes'] as const) : []),
    ...hexFlagsIn(text),
  ]
}

/** The order of entries: what sorts fields in JSON has sorted entries as well. */
export function orderIn<Order extends string>(
  format: 'JSON' | 'XML',
  { jsonFlags, order }: { readonly jsonFlags: readonly string[]; readonly order: Order },
): Order | 'name' {
  return isSortedIn(format, jsonFlags) ? 'name' : order
}

export function isSortedIn(format: 'JSON' | 'XML', set: readonly string[]): boolean {
  return format === 'JSON' && set.includes('sorted')
}
