// What was found → the settings that make the gateway answer alike.

import { type SettingName, settings } from '../../settings.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import type { Ask } from './ask.ts'
import type { Chat } from './chat.ts'
import { fieldsOf, meaningOfOutcome } from './describe.ts'
import type { Known } from './known.ts'
import { findListLimit } from './limit.ts'
import { questions, UNKNOWN } from './questions.ts'

/** Settings and their values, as one would write them. */
export type Advice = Readonly<Partial<Record<SettingName, string>>>

/** The longest list that LEGACY_MAX_VALUES allows, for a service that has no limit of its own. */
const UNLIMITED = '10000'

/** Seconds: the most that LEGACY_MAX_AGE allows. */
const YEAR_SECONDS = 31_536_000

/** Values in a call, where the old service is the gateway's store. */
const DEFAULT_CALL_VALUES = 100

/** Asks what the behaviours have asked already, so that nothing more is sent. */
export async function adviseOn(ask: Ask, { users, apps }: Known, chat: Chat): Promise<Advice> {
  const { byId, inXml, unknownEvent } = questions
  const id = String(users[0]?.id ?? '')
  const app = String(apps[0]?.id ?? '')
  const meaning = async (query: string) => meaningOfOutcome(await ask(query))

  const user = await meaning(inXml(byId([id])))
  const root = user?.kind === 'entries' ? user.root : ''
  const beside = await meaning(byId([id, UNKNOWN]))
  const alone = await meaning(byId([UNKNOWN]))
  const limit = await findListLimit(ask, id, await ask(byId([UNKNOWN])))
  // Where a list may have one only, two are refused for being two.
  const word = await meaning(byId(limit.most === 1 ? ['abc'] : [id, 'abc']))
  const error = await meaning(unknownEvent)
  const answer = await ask(byId([id]))
  const cached = answer instanceof NoReply ? undefined : answer.headers['cache-control']

  const advice: Partial<Record<SettingName, string>> = {
    LEGACY_UNKNOWN: [beside, alone].some((one) => one?.kind === 'entries' && one.entries.has(UNKNOWN))
      ? 'null'
      : 'omit',
    LEGACY_MALFORMED: word?.kind === 'refusal' ? 'reject' : 'unknown',
    LEGACY_ERROR_STATUS: error?.kind === 'refusal' && error.status === 200 ? '200' : 'http',
    // Where longer lists are cut short, refusing them would take an answer from clients that have one.
    LEGACY_MAX_VALUES: limit.most === null || limit.beyond === 'cut short' ? UNLIMITED : String(limit.most),
    DATABASE_MAX_VALUES: String(Math.min(limit.most ?? DEFAULT_CALL_VALUES, DEFAULT_CALL_VALUES)),
    LEGACY_MAX_AGE: String(Math.min(Number(/\bmax-age=(\d+)\b/.exec(cached ?? '')?.[1] ?? 0), YEAR_SECONDS)),
  }
  const name = /^([A-Za-z_]\w{0,63})API$/.exec(root)?.[1] ?? (await nameInField(ask, app))
  if (name !== undefined) advice.LEGACY_SERVICE_NAME = name
  // A word may be named that no setting can have.
  if (chat.method !== null && settings.LEGACY_CHAT_METHOD.parse(chat.method) !== undefined)
    advice.LEGACY_CHAT_METHOD = chat.method
  return advice
}

/** The last field of an app is named after the service. */
async function nameInField(ask: Ask, app: string): Promise<string | undefined> {
  const fields = app === '' ? null : fieldsOf(await ask(questions.apps([app])), app)
  const names = fields?.map(([name]) => /^([A-Za-z_]\w{0,63})DownloadLink$/.exec(name)?.[1])
  return names?.find((name) => name !== undefined)
}
