// Whether the old service can be the gateway's store, and be copied: the store's own reader is given what the
// service answers to what the store would ask.

import type { OldServiceLocation } from '../../database-location.ts'
import { UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import { table } from '../../settings.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import { textOf } from '../../stores/old-service/client.ts'
import { failureFrom, OldServiceError } from '../../stores/old-service/failure.ts'
import { createLookups, type Lookup, type OldServiceLookups } from '../../stores/old-service/lookup.ts'
import type { Advice } from './advice.ts'
import type { Ask } from './ask.ts'
import type { Chat } from './chat.ts'
import type { Known } from './known.ts'

export interface AsStore {
  /** Why lookups over it would fail; `null` where they do not. */
  readonly lookups: string | null
  /** The same for `lookup import`, which asks for ids only. */
  readonly copying: string | null
}

/** @param advice the settings that the store would have */
export async function tryAsStore(ask: Ask, known: Known, chat: Chat, advice: Advice): Promise<AsStore> {
  const habits = habitsIn(advice)
  const lookups = createLookups(
    {
      serviceName: advice.LEGACY_SERVICE_NAME ?? table.dialect.serviceName.fallback,
      chatMethod: advice.LEGACY_CHAT_METHOD ?? table.dialect.chatMethod.fallback,
      habits,
    },
    async (query) => {
      const outcome = await ask(query)
      if (outcome instanceof NoReply) throw failureFrom(outcome)
      return textOf(outcome)
    },
  )
  const lists = advice.LEGACY_MAX_VALUES !== '1'
  const byId = await firstFault(idTrials(lookups, known, lists))
  return {
    copying: byId ?? (habits.jsonFlags?.includes('numeric-check') ? NUMBERS : null),
    lookups: byId ?? (await firstFault(nameTrials(lookups, known, chat))),
  }
}

const NUMBERS =
  'strings that look like numbers come as numbers, so that 007 and 7 are the same. Import all other rows with --skip-invalid FILE, and these from the old database'

/** How it says that it has none of a value, and names entries. */
function habitsIn(advice: Advice): NonNullable<OldServiceLocation['habits']> {
  return {
    unknown: advice.LEGACY_UNKNOWN ?? '',
    empty: advice.LEGACY_EMPTY ?? '',
    unknownText: advice.LEGACY_UNKNOWN_TEXT ?? '',
    unknownStatus: advice.LEGACY_UNKNOWN_STATUS === undefined ? null : Number(advice.LEGACY_UNKNOWN_STATUS),
    keys: advice.LEGACY_KEYS ?? 'asked',
    textEscapes: advice.LEGACY_TEXT_ESCAPES ?? 'none',
    jsonFlags: advice.LEGACY_JSON_FLAGS?.split(',') ?? [],
    errorBody: advice.LEGACY_ERROR_BODY ?? '',
  }
}

/** A call of the store's. @returns what is wrong; `null` where nothing is */
type Trial = () => Promise<string | null>

function idTrials({ users, apps }: OldServiceLookups, known: Known, lists: boolean): Trial[] {
  const [id, app] = [known.users[0], known.apps[0]].map((one) => (one === undefined ? [] : [String(one.id)]))
  const beside = lists ? [UNKNOWN] : []
  return [
    trial('a user', users.ID, id),
    trial('an unknown user', users.ID, [], [UNKNOWN]),
    trial('a known and an unknown user', users.ID, id, beside),
    ...(app?.length
      ? [trial('an app', apps, app), trial('a known and an unknown app', apps, app, beside)]
      : []),
  ]
}

function nameTrials({ users }: OldServiceLookups, known: Known, chat: Chat): Trial[] {
  const name = known.users.slice(0, 1).map(({ username }) => username)
  const [identifier] = chat.chats.keys()
  return [
    trial('a username', users.USERNAME, name),
    trial('an unknown username', users.USERNAME, [], ['no such user']),
    ...(identifier === undefined ? [] : [trial(`a user by ${chat.method}`, users.CHAT, [identifier])]),
  ]
}

function trial<Found>(
  what: string,
  lookup: Lookup<Found>,
  wanted: readonly string[] = [],
  unknown: readonly string[] = [],
): Trial {
  return async () => {
    try {
      const { found, reason } = await lookup.ask(new Set([...wanted, ...unknown]))
      // As it says by habit that it has not all of them: the store asks for each by itself.
      if (reason?.kind === 'refused' && unknown.length > 0) return null
      const failed = [...found.values()].find((one) => one instanceof Error)
      if (failed !== undefined) return `the lookup of ${what} failed: ${failed.message}`
      return wanted.every((value) => found.has(value)) ? null : `the lookup of ${what} returned no entry`
    } catch (error) {
      if (error instanceof OldServiceError) return `the lookup of ${what} failed: ${error.message}`
      throw error
    }
  }
}

async function firstFault(trials: readonly Trial[]): Promise<string | null> {
  for (const one of trials) {
    const fault = await one()
    if (fault !== null) return fault
  }
  return null
}
