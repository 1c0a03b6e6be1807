// What an old service says of an identifier that nobody has.

import { parse } from './error-in.ts'
import { type Heard, type Probing, type Said, utf8In } from './heard.ts'
import { questions, UNKNOWN } from './questions.ts'

const { byId, inXml } = questions

/** What is said of it beside one that somebody has, and alone. */
export interface HeardUnknown {
  /** `null` where a list may have one only. */
  readonly pair: Heard | null
  readonly alone: Heard | null
}

export async function hearUnknown({ ask, ids: [id = ''], listLimit }: Probing): Promise<HeardUnknown> {
  const { most } = await listLimit()
  return {
    pair: most === 1 ? null : await ask(byId([id, UNKNOWN])),
    alone: await ask(byId([UNKNOWN])),
  }
}

/** The same of an app, where one is known. */
export async function hearUnknownApp({ ask, apps: [app], listLimit }: Probing): Promise<HeardUnknown> {
  if (app === undefined) return { pair: null, alone: null }
  const { most } = await listLimit()
  return {
    pair: most === 1 ? null : await ask(questions.apps([app, UNKNOWN])),
    alone: await ask(questions.apps([UNKNOWN])),
  }
}

/** The entry for it in XML, and whether there are answers at all. */
export async function hearUnknownXml({ ask, ids: [id = ''] }: Probing): Promise<{
  readonly said: Said | undefined
  readonly isAnswered: boolean
}> {
  const heard = [await ask(inXml(byId([id, UNKNOWN]))), await ask(inXml(byId([UNKNOWN])))]
  const answers = heard.map((one) => one?.entries ?? null)
  return {
    said: answers.map((entries) => entries?.get(UNKNOWN)).find((one) => one !== undefined),
    // Other entries beside an error are an answer, and have none for it.
    isAnswered: answers.some((entries) => entries !== null),
  }
}

/** The entry for it in JSON as it was written, with members in order; `undefined` where there is none. */
export function entryAsWritten(heard: Heard | null): unknown {
  if (heard === null || heard.text.length > MAX_ANSWER_LENGTH) return undefined
  const answer = parse(utf8In(heard))
  if (typeof answer !== 'object' || answer === null) return undefined
  return new Map(Object.entries(answer)).get(UNKNOWN)
}

/** An answer with one entry beside it is far shorter. */
const MAX_ANSWER_LENGTH = 100_000
