// What names the entries of an answer: one word for all lookups, and others for single methods, as in
// `read,chat=id`.

export const nameWords = ['asked', 'lower', 'read', 'stored', 'id', 'username'] as const
export type NameWord = (typeof nameWords)[number]

/** How values are meant; those of apps are ids. */
const methods = ['id', 'username', 'chat'] as const
export type NamedMethod = (typeof methods)[number]

export type EntryNames = Readonly<Record<NamedMethod, NameWord>>

/** @returns `null` where the text is not allowed */
export function parseEntryNames(text: string): EntryNames | null {
  const [first, ...others] = text.split(',', methods.length + 2)
  const word = wordOf(first)
  if (word === null) return null
  const names: Record<NamedMethod, NameWord> = { id: word, username: word, chat: word }
  const seen = new Set<string>()
  for (const other of others) {
    const [name, given, ...more] = other.split('=')
    const method = methods.find((one) => one === name)
    const own = wordOf(given)
    if (method === undefined || own === null || more.length > 0 || seen.has(method)) return null
    seen.add(method)
    names[method] = own
  }
  return names
}

function wordOf(text: string | undefined): NameWord | null {
  return nameWords.find((word) => word === text) ?? null
}
