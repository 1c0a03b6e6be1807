// A text for users and another for apps, in one setting: `User not found | App not found`.

/** What a lookup is for. */
export type Subject = 'users' | 'apps'

const BETWEEN = ' | '

/** One text, or two. @returns `null` where there are more, or one that is not allowed */
export function parseTexts(texts: string, isAllowed: (text: string) => boolean): readonly string[] | null {
  const all = texts.split(BETWEEN, 3)
  return all.length <= 2 && all.every(isAllowed) ? all : null
}

/** The text for users, or the one for apps; of one text only, that one. */
export function textFor(subject: Subject, texts: string): string {
  const [first = '', second = first] = texts.split(BETWEEN)
  return subject === 'users' ? first : second
}

/** As the setting has them; `null` where one of them cannot be told from two. */
export function pairedTexts(users: string, apps: string | null): string | null {
  if ([users, apps].some((text) => text?.includes(BETWEEN))) return null
  return apps === null || apps === users ? users : users + BETWEEN + apps
}
