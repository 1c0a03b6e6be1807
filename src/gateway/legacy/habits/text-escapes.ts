import { escapeHtml, escapeHtmlCompat, isEscapedHtml, unescapeHtml } from '../../../html-text.ts'
import { oneOf } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { askAll, fieldsIn, type Heard, type Probing, sampleQuestions } from './heard.ts'
import { questions } from './questions.ts'

const words = ['none', 'html', 'html-json', 'compat', 'compat-json'] as const
type Word = (typeof words)[number]

/** Services that were made for pages have their rows go through htmlspecialchars before all else. */
export const textEscapes = habit({
  setting: oneOf(
    'LEGACY_TEXT_ESCAPES',
    'none',
    words,
    "whether texts go through htmlspecialchars first, in both formats or in JSON only; compat: but for ' (PHP before 8.1)",
  ),
  effect: (value, { format, error, values, missing }) =>
    error === null && values.length > missing.length && escaperIn(value, format) !== null
      ? 'Texts have gone through htmlspecialchars.'
      : null,
  tell: async (probing) => {
    const seen = await hear(probing)
    const texts = seen.map(({ json }) => json)
    const escaped = seen.filter(({ json }) => unescapeHtml(json) !== json)
    if (!texts.every(isEscapedHtml)) return 'none'
    if (escaped.length === 0) return null
    const word = texts.some((text) => text.includes("'")) ? 'compat' : 'html'
    // XML has been read: what it had escaped once more is what JSON has.
    return escaped.some(({ json, xml }) => xml === unescapeHtml(json)) ? `${word}-json` : word
  },
})

/** What a text goes through before it is written; `null` for nothing. */
export function escaperIn(value: Word, format: 'JSON' | 'XML'): ((text: string) => string) | null {
  if (value === 'none' || (format === 'XML' && value.endsWith('-json'))) return null
  return value.startsWith('html') ? escapeHtml : escapeHtmlCompat
}

interface Seen {
  readonly json: string
  /** The same text in XML; `undefined` where it has none. */
  readonly xml: string | undefined
}

async function hear(probing: Probing): Promise<readonly Seen[]> {
  const { ids, apps } = probing
  const all = [
    questions.byId(ids.slice(0, 1)),
    ...apps.slice(0, 1).map((app) => questions.apps([app])),
    ...sampleQuestions(probing),
  ]
  const inJson = await askAll(probing, all)
  const inXml = await askAll(probing, all.map(questions.inXml))
  return inJson.flatMap((heard, at) => textsIn(heard, inXml[at] ?? null))
}

function textsIn(heard: Heard | null, inXml: Heard | null): Seen[] {
  return [...(heard?.entries ?? [])].flatMap(([name, said]) => {
    const written = new Map(fieldsIn(inXml?.entries?.get(name)) ?? [])
    return (fieldsIn(said) ?? []).flatMap(([field, { type, text }]) =>
      type === 'string' ? [{ json: text, xml: written.get(field)?.text }] : [],
    )
  })
}
