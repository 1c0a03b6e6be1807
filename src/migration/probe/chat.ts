// Finds the value of MethodOfAccessingUserInformation for the chat platform: the first word that finds a
// given identifier. Without identifiers: the first word whose response is not the response to nonsense.

import { NoResponse } from '../../stores/old-service/call.ts'
import type { ProbeOutcome, SendQuery } from './client.ts'
import { by, NO_METHOD } from './requests.ts'
import { fieldsOf, meaningOfResponse, onlyFieldsOf } from './responses.ts'
import { type ProbeRows, userOf } from './rows.ts'

/** Tried after the words of the operator and the words of a refusal. */
const usualWords =
  'chat chatid chat_id chat-id chatId chatname chat_name chatuser talk im messenger message irc xmpp'

/** Words tried at most. */
const MAX_WORDS = 20
/** Characters at the end of a refusal that are searched for words, and words of a refusal tried at most. */
const MAX_REFUSAL_LENGTH = 2_000
const MAX_LISTED = 8
const wordPattern = /[\w.-]{2,32}/g

const nonsense = [NO_METHOD, 'neitherthisone'] as const

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
  // A refusal may quote the request.
  const quoted = new Set(by(nonsense[0], ...values).match(wordPattern))
  for (const word of values.join(' ').match(wordPattern) ?? []) quoted.add(word)
  const listed = wordsOfRefusal(await sendBy(nonsense[0]))
    .filter((word) => !quoted.has(word))
    .slice(0, MAX_LISTED)
  const candidates = [...new Set([...words, ...listed, ...usualWords.split(' ')])]
    .filter((word) => word !== 'id' && word !== 'username')
    .slice(0, MAX_WORDS)
  const [identifier] = identifiers
  const find = async (method: string, value: string) => onlyFieldsOf(await send(by(method, value)), value)
  const isMethod =
    identifier === undefined
      ? await unlikeNonsense(sendBy, values)
      : async (word: string) => (await find(word, identifier)) !== null
  const found = new Map<number, string>()
  for (const [at, method] of candidates.entries()) {
    if (!(await isMethod(method))) continue
    for (const value of identifiers) {
      const fields = await find(method, value)
      if (fields !== null) found.set(userOf(fields).id, value)
    }
    return { method, tried: at + 1, identifiers: found }
  }
  return { method: null, tried: candidates.length, identifiers: found }
}

/** Returns the methods that some services list in a refusal. */
function wordsOfRefusal(outcome: ProbeOutcome): string[] {
  const meaning = meaningOfResponse(outcome)
  if (meaning.kind !== 'refusal') return []
  const text = meaning.text
    .slice(-MAX_REFUSAL_LENGTH)
    .replaceAll(nonsense[0], '')
    .replace(/"\w+"\s*:/g, '')
  const list = /(?::|\bare\b|\bof\b)([^:]*)$/.exec(text)?.[1] ?? ''
  return list.match(wordPattern) ?? []
}

async function unlikeNonsense(
  sendBy: (method: string) => Promise<ProbeOutcome>,
  values: readonly string[],
): Promise<(word: string) => Promise<boolean>> {
  const reactions: ProbeOutcome[] = []
  for (const word of nonsense) reactions.push(await sendBy(word))
  // The response to nonsense, with the word instead of the nonsense.
  const expected = nonsense.map(
    (one, at) => (word: string) => bodyOf(reactions[at]).replaceAll(one, () => word),
  )
  // If each response has a time or an id, only its kind counts.
  const isSteady = expected[0]?.(nonsense[1]) === bodyOf(reactions[1])
  const kinds = new Set(reactions.map(kindOf))
  return async (word) => {
    const outcome = await sendBy(word)
    const isNonsense = isSteady
      ? expected.some((write) => write(word) === bodyOf(outcome))
      : kinds.has(kindOf(outcome))
    return !isNonsense && values.every((value) => fieldsOf(outcome, value) === null)
  }
}

function bodyOf(outcome: ProbeOutcome | undefined): string {
  if (outcome === undefined || outcome instanceof NoResponse) return ''
  return `${outcome.status} ${outcome.body.toString('latin1')}`
}

function kindOf(outcome: ProbeOutcome): string {
  return outcome instanceof NoResponse ? '' : `${outcome.status} ${meaningOfResponse(outcome).kind}`
}
