// How a question about what an old service has is recognised as answered with it.

import { fieldsIn, type Heard, type Probing } from './heard.ts'
import { questions } from './questions.ts'

/**
 * What the entry of a user is named by, in an answer to a question for that user; `null` where there is none.
 */
export function nameOfUser(heard: Heard | null, id: string): string | null {
  for (const [name, said] of heard?.entries ?? [])
    if (fieldsIn(said)?.some(([field, { text }]) => field === 'Id' && text === id)) return name
  return null
}

/** Whether an answer has the first of the users. */
export function isFound(heard: Heard | null, { ids: [id = ''] }: Probing): boolean {
  return nameOfUser(heard, id) !== null
}

export const onlyId = ({ ask }: Probing, text: string) => ask(questions.byId([text]))
export const onlyName = ({ ask }: Probing, text: string) => ask(questions.by('username', [text]))

/** The username in another case; as it is where there is none. */
export function otherCase(username: string): string {
  return [...username]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('')
}
