// The habits of the old service, explained where they show.

interface NotedField {
  readonly name: string
  /** What is particular about it in XML. */
  readonly inXml?: string
}

export interface Notes {
  readonly texts: readonly string[]
  /** The number of the note on an element, from 1, by its name. */
  readonly ofElement: ReadonlyMap<string, number>
  /** The number of the note on a text as it came. */
  readonly ofText: (raw: string) => number | undefined
}

type Habit = readonly [pattern: RegExp, explanation: string]

const habits: Readonly<Record<'JSON' | 'XML', readonly Habit[]>> = {
  JSON: [
    [
      /(?<!\\)(?:\\\\)*\\u/,
      'Characters beyond ASCII are sent as \\u escapes, as PHP does. See the raw bytes.',
    ],
    [/\\\//, 'A slash is sent as \\/, as PHP does. It means the same. See the raw bytes.'],
  ],
  XML: [
    [/&#xFFFD;/, 'U+FFFD also replaces characters that XML cannot carry. JSON carries them.'],
    [/&#/, 'Characters beyond ASCII, and some line ends, are sent as numbers. See the raw bytes.'],
  ],
}

const emptyData = 'A value that is not found is an empty Data element (LEGACY_UNKNOWN, LEGACY_UNKNOWN_XML).'

/** What is particular about a response. */
export function notesOn(format: 'JSON' | 'XML', body: string, fields: readonly NotedField[]): Notes {
  const texts: string[] = []
  const ofElement = new Map<string, number>()
  if (format === 'XML') {
    for (const { name, inXml } of fields) {
      if (inXml === undefined || !new RegExp(`<${name} ?[/>]`).test(body)) continue
      ofElement.set(name, texts.push(`${name}: ${inXml}`))
    }
    if (/<Data [^>]*(?:\/>|><\/Data>)/.test(body)) ofElement.set('Data', texts.push(emptyData))
  }
  const noted = habits[format]
    .filter(([pattern]) => pattern.test(body))
    .map(([pattern, explanation]) => [pattern, texts.push(explanation)] as const)
  return { texts, ofElement, ofText: (raw) => noted.find(([pattern]) => pattern.test(raw))?.[1] }
}

/** A token's note, where there is one. */
export function noted(note: number | undefined): { readonly note?: number } {
  return note === undefined ? {} : { note }
}
