// Answers in XML as they came, for what tells how an old service writes it.

import { askAll, fieldsIn, type Heard, type Probing, sampleQuestions } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

export interface HeardXml {
  /** The attributes of the root of each answer. */
  readonly roots: readonly string[]
  /** Answers without these, a character for each byte. */
  readonly texts: readonly string[]
  /** All of them without declarations and CDATA sections. */
  readonly content: string
  /** The declaration of the first; `null` where it has none. */
  readonly declaration: string | null
}

/** Shows how characters are written in attributes, where unknown values are shown. */
const REVEALING = `"'é`

/**
 * Asks for each known identifier by itself: a list may be allowed to have one only. `null` where no XML came.
 */
export async function hearXml(probing: Probing): Promise<HeardXml | null> {
  const { ask, ids, apps } = probing
  const { byId, by, inXml } = questions
  const users = await askAll(
    probing,
    ids.map((id) => inXml(byId([id]))),
  )
  const samples = await askAll(probing, sampleQuestions(probing).map(inXml))
  const names = [...users, ...samples].flatMap(usernamesIn)
  const others = [
    ...samples,
    ...(await askAll(
      probing,
      apps.map((app) => inXml(questions.apps([app]))),
    )),
    await ask(inXml(byId([ids[0] ?? '', UNKNOWN]))),
    await ask(inXml(byId([UNKNOWN]))),
    // What is beyond ASCII may be written in another way in attributes.
    await ask(inXml(by('username', [names.find(isBeyondAscii) ?? REVEALING]))),
  ]
  const answers = [...users, ...others].flatMap((heard) =>
    heard?.entries == null || heard.root === '' ? [] : [splitAtRoot(heard)],
  )
  const texts = answers.map(({ text }) => text)
  const [first] = texts
  if (first === undefined) return null
  return {
    roots: answers.map(({ attributes }) => attributes),
    texts,
    content: withoutCdata(texts.join('').replaceAll(/<\?xml[^<>]*>/g, '')),
    declaration: /^<\?xml[^>]*\?>/.exec(first)?.[0] ?? null,
  }
}

/** The attributes of the root, and the answer without them. */
function splitAtRoot({ text, root }: Heard): { readonly attributes: string; readonly text: string } {
  const start = text.indexOf(`<${root} `) + root.length + 1
  const end = text.indexOf('>', start)
  if (start === root.length || end === -1) return { attributes: '', text }
  const tag = text.slice(start, end)
  const close = tag.endsWith(' /') ? ' /' : tag.endsWith('/') ? '/' : ''
  return {
    attributes: tag.slice(0, tag.length - close.length).trim(),
    text: text.slice(0, start) + close + text.slice(end),
  }
}

const [CDATA, CDATA_END] = ['<![CDATA[', ']]>']

/** What the sections held is a text, so that its element is not empty. */
function withoutCdata(text: string): string {
  let content = ''
  let done = 0
  for (;;) {
    const start = text.indexOf(CDATA, done)
    const end = start === -1 ? -1 : text.indexOf(CDATA_END, start)
    if (end === -1) return content + text.slice(done)
    content += `${text.slice(done, start)}_`
    done = end + CDATA_END.length
  }
}

/** What stands between tags. Not by an expression: of a long run of marks, it would go back over each. */
export function textsIn(content: string): readonly string[] {
  return content
    .split('<')
    .slice(0, -1)
    .flatMap((piece) => (piece.includes('>') ? [piece.slice(piece.indexOf('>') + 1)] : []))
}

function usernamesIn(heard: Heard | null): string[] {
  const entries = [...(heard?.entries?.values() ?? [])]
  return entries.flatMap((said) =>
    (fieldsIn(said) ?? []).flatMap(([name, { text }]) => (name === 'Username' ? [text] : [])),
  )
}

function isBeyondAscii(text: string): boolean {
  return /[^\0-\x7f]/.test(text)
}

/** The references to characters beyond ASCII. */
export function referencesIn(content: string): readonly string[] {
  return [...content.matchAll(/&#(x?)([\dA-Fa-f]{2,7});/g)].flatMap(([whole, hex, digits = '']) =>
    Number.parseInt(digits, hex === 'x' ? 16 : 10) >= 0x80 ? [whole] : [],
  )
}
