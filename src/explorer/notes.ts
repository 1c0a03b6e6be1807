// The habits of the old service, explained where they show.

interface NotedField {
  readonly name: string
  /** What is particular about it in XML. */
  readonly inXml?: string
}

export interface Notes {
  readonly texts: readonly string[]
  /** The number of the note on a field, from 1, by the field's name. */
  readonly ofField: ReadonlyMap<string, number>
}

const habits = {
  JSON: [
    [/\\\//, 'A slash is written \\/, as PHP writes it. It means the same; the raw bytes have it.'],
    [/\\u/, 'Everything beyond ASCII is written as \\u and a number; the raw bytes have it.'],
  ],
  XML: [
    [
      /&#/,
      'Everything beyond ASCII, and what XML cannot carry as it is, is written as a reference; the raw bytes have it.',
    ],
    [/\ufffd|&#xFFFD;/, 'A character that XML cannot carry at all became U+FFFD. JSON has it unharmed.'],
  ],
} as const

/** What is particular about an answer. */
export function notesOn(format: 'JSON' | 'XML', body: string, fields: readonly NotedField[]): Notes {
  const texts: string[] = []
  const ofField = new Map<string, number>()
  if (format === 'XML') {
    for (const { name, inXml } of fields) {
      if (inXml === undefined || !new RegExp(`<${name}[/>]`).test(body)) continue
      ofField.set(name, texts.push(`${name}: ${inXml}`))
    }
  }
  for (const [pattern, text] of habits[format]) if (pattern.test(body)) texts.push(text)
  return { texts, ofField }
}
