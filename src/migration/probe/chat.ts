// The value of MethodOfAccessingUserInformation that means the chat platform. No interface tells it: words are tried, and the
// one that is taken for a method behaves otherwise than a word that certainly is none.

import { NoReply } from '../../stores/old-service/call.ts'
import type { Ask, Outcome } from './ask.ts'
import { fieldsOf, meaningOfOutcome } from './describe.ts'
import { type Known, userOf } from './known.ts'

/** Tried after those that are named. */
const usual =
  'chat chatid chat_id chat-id chatId chatname chat_name chatuser talk im messenger message irc xmpp matrix'

/** Words tried at most. */
const MOST_WORDS = 20

const nonsense = ['nosuchmethod', 'neitherthisone']

export interface Chat {
  /** `null` where none of the words tried is it. */
  readonly method: string | null
  readonly tried: readonly string[]
  readonly chats: Known['chats']
}

/**
 * @param named words to try first
 * @param identifiers of the chat platform, of users who are there: with them one can be certain
 */
export async function findChat(
  ask: Ask,
  { users }: Pick<Known, 'users'>,
  named: readonly string[],
  identifiers: readonly string[],
): Promise<Chat> {
  // Another word for id or username would find something under one of these; the chat platform does not.
  const mine = users.slice(0, 1).flatMap(({ id, username }) => [String(id), username])
  const values = [...mine, ...identifiers]
  const list = values.map(encodeURIComponent).join(':')
  const askBy = (method: string) =>
    ask(`Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(method)}&Users=${list}`)

  const reactions: Outcome[] = []
  for (const word of nonsense) reactions.push(await askBy(word))
  const isNonsense = recognizer(reactions)
  const words = [...new Set([...named, ...(await wordsOfRefusal(askBy)), ...usual.split(' ')])]
    .filter((word) => word !== 'id' && word !== 'username')
    .slice(0, MOST_WORDS)
  const tried: string[] = []
  for (const word of words) {
    tried.push(word)
    const outcome = await askBy(word)
    if (isNonsense(outcome, word)) continue
    if (mine.some((value) => fieldsOf(outcome, value) !== null)) continue
    const chats = chatsIn(outcome, identifiers)
    // Where somebody is named who is there, only finding him proves it.
    if (identifiers.length === 0 || chats.size > 0) return { method: word, tried, chats }
  }
  return { method: null, tried, chats: new Map() }
}

/** A service that lists its methods when it is asked for another one saves us the guessing. */
async function wordsOfRefusal(askBy: (method: string) => Promise<Outcome>): Promise<string[]> {
  const [word = ''] = nonsense
  const meaning = meaningOfOutcome(await askBy(word))
  if (meaning?.kind !== 'refusal') return []
  const text = meaning.text.replaceAll(word, '').replace(/"\w+"\s*:/g, '')
  const list = /(?::|\bare\b|\bof\b)([^:]*)$/.exec(text)?.[1] ?? ''
  return (list.match(/[\w.-]{2,32}/g) ?? []).slice(0, 8)
}

/** @returns what tells whether a word is taken for none, by what came of words that certainly are none */
function recognizer(reactions: readonly Outcome[]): (outcome: Outcome, word: string) => boolean {
  const [one = [], other = []] = nonsense.map((word, at) => signsOf(reactions[at], word))
  // Some services have a time or a number of their own in each answer: then only its kind counts.
  const steady = one.some((sign) => other.includes(sign))
  const known = new Set(steady ? [...one, ...other] : reactions.map(kindOf))
  return (outcome, word) =>
    (steady ? signsOf(outcome, word) : [kindOf(outcome)]).some((sign) => known.has(sign))
}

/** What came, as it is, and without the word, which may be repeated in it or be a part of every refusal. */
function signsOf(outcome: Outcome | undefined, word: string): string[] {
  if (outcome === undefined || outcome instanceof NoReply) return ['']
  const sign = `${outcome.status} ${outcome.body.toString('latin1')}`
  return [sign, sign.replaceAll(word, '*')]
}

function kindOf(outcome: Outcome): string {
  const meaning = meaningOfOutcome(outcome)
  return outcome instanceof NoReply ? '' : `${outcome.status} ${meaning?.kind}`
}

function chatsIn(outcome: Outcome, identifiers: readonly string[]): Known['chats'] {
  return new Map(
    identifiers.flatMap((value) => {
      const fields = fieldsOf(outcome, value)
      return fields === null ? [] : [[value, userOf(fields)] as const]
    }),
  )
}
