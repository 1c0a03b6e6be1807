import { someOf } from '../../../setting-kinds.ts'
import { capitalised } from '../../../text.ts'
import { habit } from './habit.ts'
import { askAll, type Probing, sampleQuestions } from './heard.ts'
import { questions } from './questions.ts'

/** PHP's JSON_HEX_TAG and its like: characters that HTML would take for markup. */
const hex = { 'hex-tag': '<>', 'hex-amp': '&', 'hex-apos': "'", 'hex-quot': '"' } as const
type HexFlag = keyof typeof hex
const hexFlags = ['hex-tag', 'hex-amp', 'hex-apos', 'hex-quot'] as const satisfies readonly HexFlag[]

const flags = [
  ...(['unescaped-unicode', 'unescaped-slashes'] as const),
  ...hexFlags,
  ...(['pretty', 'newline', 'spaced'] as const),
] as const
type Flag = (typeof flags)[number]

const setting = someOf(
  'LEGACY_JSON_FLAGS',
  flags,
  "how JSON is written: PHP's flags of json_encode, a newline at the end, blanks after , and : as in Python",
)

export const jsonFlags = habit({
  setting,
  effect: (value, { format }) =>
    format === 'JSON' && value.length > 0
      ? capitalised(`${value.map((flag) => inWords[flag]).join(', ')}.`)
      : null,
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
    const told: readonly Flag[] = [
      ...charactersOf(await withRareCharacters(probing, written)),
      ...layoutOf(first),
    ]
    return flags.filter((flag) => told.includes(flag)).join(',') || 'none'
  },
})

/** What is written for a character that a set flag makes an escape of: in upper-case hex, as PHP has it. */
export function hexEscapes(set: readonly string[]): ReadonlyMap<string, string> {
  const characters = hexFlags.filter((flag) => set.includes(flag)).flatMap((flag) => [...hex[flag]])
  return new Map(characters.map((character) => [character, hexOf(character)]))
}

const hexOf = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

const inWords: Readonly<Record<Flag, string>> = {
  'unescaped-unicode': 'characters beyond ASCII are UTF-8',
  'unescaped-slashes': 'slashes are not escaped',
  'hex-tag': '< and > are \\u003C and \\u003E',
  'hex-amp': '& is \\u0026',
  'hex-apos': "' is \\u0027",
  'hex-quot': '" is \\u0022',
  pretty: 'the JSON is indented',
  newline: 'a newline is at the end',
  spaced: 'a blank is after , and :',
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
    ...hexFlags.filter((flag) => [...hex[flag]].some((character) => text.includes(hexOf(character)))),
  ]
}

function layoutOf(text: string): readonly Flag[] {
  return [
    ...(/^\{\n {4}"/.test(text) ? (['pretty'] as const) : []),
    ...(/^\{"[^"]{0,1000}": \{"/.test(text) ? (['spaced'] as const) : []),
    ...(/[^\n]\n$/.test(text) ? (['newline'] as const) : []),
  ]
}
