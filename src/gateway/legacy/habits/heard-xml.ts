// Answers in XML as they came, for what tells how an old service writes it.

import type { Heard, Probing } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

export interface HeardXml {
  /** Answers, a character for each byte. */
  readonly texts: readonly string[]
  /** All of them without declarations and CDATA sections. */
  readonly content: string
  /** The declaration of the first; `null` where it has none. */
  readonly declaration: string | null
  /** The answer to an identifier that matches nothing, where that is an answer. */
  readonly ofUnknown: string | null
}

/** What tells apart how quotation marks and characters beyond ASCII are written, where unknown values are shown. */
const REVEALING = `"'é`

/** Asks for each known identifier by itself: a list may be allowed to have one only. `null` where no XML came. */
export async function hearXml({ ask, ids, apps }: Probing): Promise<HeardXml | null> {
  const { byId, by, inXml } = questions
  const asked = [
    ...ids.map((id) => byId([id])),
    ...apps.map((app) => questions.apps([app])),
    byId([ids[0] ?? '', UNKNOWN]),
    by('username', [REVEALING]),
  ]
  const texts: string[] = []
  for (const question of asked) texts.push(...textsOf(await ask(inXml(question))))
  const [ofUnknown = null] = textsOf(await ask(inXml(byId([UNKNOWN]))))
  const [first] = texts
  if (first === undefined) return null
  return {
    texts: ofUnknown === null ? texts : [...texts, ofUnknown],
    content: [...texts, ofUnknown ?? '']
      .join('')
      .replaceAll(/<\?xml[^>]*>/g, '')
      .replaceAll(/<!\[CDATA\[.*?\]\]>/gs, ''),
    declaration: /^<\?xml[^>]*\?>/.exec(first)?.[0] ?? null,
    ofUnknown,
  }
}

function textsOf(heard: Heard | null): string[] {
  return heard?.entries == null || heard.root === '' ? [] : [heard.text]
}

/** The references to characters beyond ASCII. */
export function referencesIn(content: string): readonly string[] {
  return [...content.matchAll(/&#(x?)([\dA-Fa-f]{2,7});/g)].flatMap(([whole, hex, digits = '']) =>
    Number.parseInt(digits, hex === 'x' ? 16 : 10) >= 0x80 ? [whole] : [],
  )
}
