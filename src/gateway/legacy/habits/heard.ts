// What a habit is told by: questions to an old service, and what it answers.

import { questions } from './questions.ts'

/** A value of a field, or what stands for a whole entry; texts are equal where the values are. */
export interface SaidValue {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'object' | 'list' | 'text'
  readonly text: string
}

/** What is said of one identifier: fields in their order, or a value that stands for nothing. */
export type Said = readonly (readonly [field: string, value: SaidValue])[] | SaidValue

/** An answer of the old service. */
export interface Heard {
  readonly status: number
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body, a character for each byte. */
  readonly text: string
  /** By identifier, in the order of the answer; `null` where it is an error, or cannot be read. */
  readonly entries: ReadonlyMap<string, Said> | null
  /** The name of the XML root; empty in JSON. */
  readonly root: string
  /** Whether it is an error that a client can read. */
  readonly isRefusal: boolean
}

/** An old service while it is probed. What has been asked before is not sent again. */
export interface Probing {
  /**
   * @param path in place of the service's own
   * @returns `null` where nothing came back
   */
  readonly ask: (query: string, path?: string) => Promise<Heard | null>
  /** Where the service is, on its server. */
  readonly path: string
  /** Ids of users that it has: one at least. */
  readonly ids: readonly string[]
  /** The username of the first. */
  readonly username: string
  /** The ids of apps that it has, if any are known. */
  readonly apps: readonly string[]
  /** Ids of others, whose texts show how characters are written: a list of them is answered. */
  readonly samples: { readonly users: readonly string[]; readonly apps: readonly string[] }
  /** The word that means the chat platform, where one was found. */
  readonly chatMethod: string | null
  /** An identifier of that platform, and the id of its user, where one is known. */
  readonly chat: { readonly identifier: string; readonly id: string } | null
  /** The longest list that it answers; `null` where there is no limit. */
  readonly listLimit: () => Promise<{
    readonly most: number | null
    readonly beyond: 'refused' | 'cut short' | null
    /** Users that were answered on the way. */
    readonly found: ReadonlyMap<string, Said>
  }>
}

/** The fields of an entry; `null` where it has none. */
export function fieldsIn(said: Said | undefined): readonly (readonly [string, SaidValue])[] | null {
  return said !== undefined && Array.isArray(said) ? said : null
}

/** Whether an answer refuses what was asked for, rather than its client, or for a while. */
export function isRefused(heard: Heard | null): boolean {
  return heard?.isRefusal === true && heard.status < 500 && !ofClients.has(heard.status)
}

/** Who asks is not known, not allowed to, or has asked too often. */
const ofClients: ReadonlySet<number> = new Set([401, 403, 407, 429])

/** The questions for the samples; none where there are no samples. */
export function sampleQuestions({ samples: { users, apps } }: Probing): readonly string[] {
  return [
    ...(users.length === 0 ? [] : [questions.byId(users)]),
    ...(apps.length === 0 ? [] : [questions.apps(apps)]),
  ]
}

/** Asks one question after the other. */
export async function askAll({ ask }: Probing, all: readonly string[]): Promise<readonly (Heard | null)[]> {
  const heard: (Heard | null)[] = []
  for (const question of all) heard.push(await ask(question))
  return heard
}

/** The body as UTF-8; as it is where it is none. */
export function utf8In({ text }: Heard): string {
  try {
    return decodeURIComponent(
      text.replace(/[%\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
  } catch {
    return text
  }
}

/** The values of some fields of the users that the service has. */
export async function valuesOf({ ask, ids }: Probing, fields: readonly string[]): Promise<SaidValue[]> {
  const [all, first] = [await ask(questions.byId(ids)), await ask(questions.byId(ids.slice(0, 1)))]
  const entries = [...(all?.entries ?? first?.entries ?? [])].map(([, said]) => fieldsIn(said) ?? [])
  return entries.flat().flatMap(([name, value]) => (fields.includes(name) ? [value] : []))
}
