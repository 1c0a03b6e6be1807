// The value of MethodOfAccessingUserInformation that means the chat platform. No interface tells it: words
// are tried, and the one that is taken for a method behaves otherwise than a word that certainly is none.

import type { User } from '../../data/users.ts'
import { questions } from '../../gateway/legacy/habits/questions.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import type { Ask, Outcome } from './ask.ts'
import { fieldsOf, meaningOfOutcome, onlyFieldsOf } from './describe.ts'
import { type Known, userOf } from './known.ts'

/** Tried after those that are named. */
const usual =
  'chat chatid chat_id chat-id chatId chatname chat_name chatuser talk im messenger message irc xmpp matrix'

/** Words tried at most. */
const MAX_WORDS = 20

/**
 * Characters at the end of a refusal that are searched for words: the search takes time quadratic in their
 * number.
 */
const MAX_REFUSAL_LENGTH = 2_000

/** Words of a refusal that are tried at most. */
const MAX_LISTED = 8
const wordPattern = /[\w.-]{2,32}/g

const nonsense = ['nosuchmethod', 'neitherthisone']

export interface Chat {
  /** `null` where none of the words tried is it. */
  readonly method: string | null
  readonly tried: readonly string[]
  readonly chats: Known['chats']
}

/**
 * @param named words to try first
 * @param identifiers of the chat platform, of existing users: with them the result is certain
 */
export async function findChat(
  ask: Ask,
  { users }: Pick<Known, 'users'>,
  named: readonly string[],
  identifiers: readonly string[],
): Promise<Chat> {
  // Another word for id or username would find something under one of these; the chat platform does not.
  const mine = users.slice(0, 1).flatMap(({ id, username }) => [String(id), username])
  const askBy = (method: string) => ask(questions.by(method, mine))
  // A service that repeats the query in its refusals names no methods by that.
  const repeated = new Set(questions.by(nonsense[0] ?? '', mine).match(wordPattern))
  for (const word of mine.join(' ').match(wordPattern) ?? []) repeated.add(word)
  const listed = (await wordsOfRefusal(askBy)).filter((word) => !repeated.has(word)).slice(0, MAX_LISTED)
  const words = [...new Set([...named, ...listed, ...usual.split(' ')])]
    .filter((word) => word !== 'id' && word !== 'username')
    .slice(0, MAX_WORDS)
  const [identifier] = identifiers
  const method =
    identifier === undefined
      ? await findUnlike(askBy, words, mine)
      : await firstOf(
          words,
          async (word) => onlyFieldsOf(await ask(questions.by(word, [identifier])), identifier) !== null,
        )
  if (method === null) return { method, tried: words, chats: new Map() }
  // Each by itself: a list may have one only.
  const chats = new Map<string, User>()
  for (const value of identifiers) {
    const fields = onlyFieldsOf(await ask(questions.by(method, [value])), value)
    if (fields !== null) chats.set(value, userOf(fields))
  }
  return { method, tried: words.slice(0, words.indexOf(method) + 1), chats }
}

/** A word that is taken otherwise than nonsense is, and is no other word for id or username. */
async function findUnlike(
  askBy: (method: string) => Promise<Outcome>,
  words: readonly string[],
  mine: readonly string[],
): Promise<string | null> {
  const reactions: Outcome[] = []
  for (const word of nonsense) reactions.push(await askBy(word))
  const isNonsense = recognizer(reactions)
  return firstOf(words, async (word) => {
    const outcome = await askBy(word)
    return !isNonsense(outcome, word) && mine.every((value) => fieldsOf(outcome, value) === null)
  })
}

async function firstOf(
  words: readonly string[],
  isIt: (word: string) => Promise<boolean>,
): Promise<string | null> {
  for (const word of words) if (await isIt(word)) return word
  return null
}

/** A service that lists its methods when it is asked for another one leaves nothing to guess. */
async function wordsOfRefusal(askBy: (method: string) => Promise<Outcome>): Promise<string[]> {
  const [word = ''] = nonsense
  const meaning = meaningOfOutcome(await askBy(word))
  if (meaning?.kind !== 'refusal') return []
  const text = meaning.text
    .slice(-MAX_REFUSAL_LENGTH)
    .replaceAll(word, '')
    .replace(/"\w+"\s*:/g, '')
  const list = /(?::|\bare\b|\bof\b)([^:]*)$/.exec(text)?.[1] ?? ''
  return list.match(wordPattern) ?? []
}

/** @returns what tells whether a word is taken for none, by what came of words that certainly are none */
function recognizer(reactions: readonly Outcome[]): (outcome: Outcome, word: string) => boolean {
  // What would have come of a word instead: the same, with that word where this one is repeated.
  const expected = nonsense.map(
    (one, at) => (word: string) => signOf(reactions[at]).replaceAll(one, () => word),
  )
  // Some services have a time or a number of their own in each answer: then only its kind counts.
  const steady = expected[0]?.(nonsense[1] ?? '') === signOf(reactions[1])
  const kinds = new Set(reactions.map(kindOf))
  return (outcome, word) =>
    steady ? expected.some((sign) => sign(word) === signOf(outcome)) : kinds.has(kindOf(outcome))
}

/** What came, as it is. */
function signOf(outcome: Outcome | undefined): string {
  if (outcome === undefined || outcome instanceof NoReply) return ''
  return `${outcome.status} ${outcome.body.toString('latin1')}`
}

function kindOf(outcome: Outcome): string {
  const meaning = meaningOfOutcome(outcome)
  return outcome instanceof NoReply ? '' : `${outcome.status} ${meaning?.kind}`
}
