// Finds the value of MethodOfAccessingUserInformation for the chat platform: the first word that finds a
// given identifier. Without identifiers: the first word whose response is not the response to nonsense.

import { NoResponse } from '../../stores/old-service/call.ts'
import type { ProbeOutcome, SendQuery } from './client.ts'
import { by, NO_METHOD } from './requests.ts'
import { foundIn, meaningOfResponse, onlyFieldsOf } from './responses.ts'
import { type ProbeRows, userOf } from './rows.ts'

/** Tried after the words of the operator and the words of a refusal. */
const usualWords =
  'chat chatid chat_id chat-id chatId chatname chat_name chatuser talk im messenger message irc xmpp'

/** Words tried at most, and those of a refusal. */
const MAX_WORDS = 20
const MAX_LISTED = 8
/** Characters at the end of a refusal that are searched for words. */
const MAX_REFUSAL_LENGTH = 2_000

export interface Chat {
  /** Null if it is none of the words that were tried. */
  readonly method: string | null
  readonly tried: number
  /** The identifiers that the method found, by the ids of their users. The first one proves the method. */
  readonly identifiers: ReadonlyMap<number, string>
}

/**
 * @param words to try first
 * @param identifiers of the chat platform, of existing users
 */
export async function findChat(
  send: SendQuery,
  [user]: ProbeRows['users'],
  words: readonly string[],
  identifiers: readonly string[],
): Promise<Chat> {
  // A word that means id or username finds something under one of these values.
  const values = user === undefined ? [] : [String(user.id), user.username]
  const sendBy = (method: string) => send(by(method, ...values))
  const nonsense = await sendBy(NO_METHOD)
  // A refusal may quote the request: words of the request are no methods that the service lists.
  const quoted = wordsIn(`${by(NO_METHOD, ...values)} ${values.join(' ')} id username`)
  const listed = wordsOfRefusal(nonsense).filter((word) => !quoted.includes(word))
  const all = [...words, ...listed.slice(0, MAX_LISTED), ...usualWords.split(' ')]
  const candidates = [...new Set(all)].slice(0, MAX_WORDS)
  for (const [at, method] of candidates.entries()) {
    const found = new Map<number, string>()
    for (const value of identifiers) {
      const fields = onlyFieldsOf(await send(by(method, value)), value)
      if (fields !== null) found.set(userOf(fields).id, value)
      else if (found.size === 0) break
    }
    const isMethod = identifiers.length > 0 ? found.size > 0 : await isUnlike(nonsense, method, sendBy)
    if (isMethod) return { method, tried: at + 1, identifiers: found }
  }
  return { method: null, tried: candidates.length, identifiers: new Map() }
}

const wordsIn = (text: string): readonly string[] => text.match(/[\w.-]{2,32}/g) ?? []

/** Returns the methods that some services list in a refusal. */
function wordsOfRefusal(outcome: ProbeOutcome): readonly string[] {
  const meaning = meaningOfResponse(outcome)
  if (meaning.kind !== 'refusal') return []
  const text = meaning.text.slice(-MAX_REFUSAL_LENGTH).replace(/"\w+"\s*:/g, '')
  const list = /(?::|\bare\b|\bof\b)([^:]*)$/.exec(text)?.[1] ?? ''
  return wordsIn(list)
}

async function isUnlike(nonsense: ProbeOutcome, method: string, sendBy: SendQuery): Promise<boolean> {
  const outcome = await sendBy(method)
  const expected = textOf(nonsense).replaceAll(NO_METHOD, () => method)
  return foundIn(outcome).size === 0 && withoutNumbers(textOf(outcome)) !== withoutNumbers(expected)
}

function textOf(outcome: ProbeOutcome): string {
  return outcome instanceof NoResponse ? '' : `${outcome.status} ${outcome.body.toString('latin1')}`
}

/** Some errors have a time, or the id of the request. */
const withoutNumbers = (text: string) => text.replace(/\w*\d\w*/g, '#')
