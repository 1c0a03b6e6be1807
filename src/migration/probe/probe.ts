// One probe: sends requests to the old service, and fits a dialect to its responses.

import type { Dialect } from '../../legacy/dialect.ts'
import type { Call } from '../../stores/old-service/call.ts'
import { type ChangePrefixes, findChanges, maskOf } from './changes.ts'
import { type Chat, findChat } from './chat.ts'
import { type ClientOptions, createProbeClient, type ProbeClient, withinBudget } from './client.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { fitDialect, preferValues } from './fit.ts'
import { findListLimit, type ListLimit } from './limit.ts'
import { readOff, type SearchStart } from './read-off.ts'
import { inFormat, LIST_OF_USERS, requestsFor, type ServiceData, type TestRequest } from './requests.ts'
import { legacyResponseOf, responseTo } from './responses.ts'
import { idsOf, refineRows } from './rows.ts'
import { findNamed, findSamples } from './samples.ts'

/** Values that are used of each of --users, --apps and --chats. */
const MAX_NAMED = 3

export interface ProbeOptions extends ClientOptions {
  /** Existing ids. */
  readonly users: readonly string[]
  readonly apps: readonly string[]
  /** Identifiers of the chat platform, of existing users. */
  readonly chats: readonly string[]
  /** Words to try first as the method of the chat platform. */
  readonly chatMethods: readonly string[]
  /** The dialect of an earlier probe: its choices stay if they explain the responses as well. */
  readonly earlier: Dialect | null
}

export interface ProbeResult {
  readonly client: ProbeClient
  readonly known: ServiceData
  readonly limit: ListLimit
  readonly chat: Chat
  readonly changing: ChangePrefixes
  readonly testRequests: readonly TestRequest[]
  readonly evidence: Evidence
  readonly dialect: Dialect
}

/** @throws ProbeError */
export async function probe(call: Call, options: ProbeOptions): Promise<ProbeResult> {
  const client = createProbeClient(call, options)
  const { send, outcomes } = client
  const named = await findNamed(send, {
    users: options.users.slice(0, MAX_NAMED),
    apps: options.apps.slice(0, MAX_NAMED),
  })
  const ids = idsOf(named.users)
  const limit = await findListLimit(send, ids)
  const samples = await withinBudget(() => findSamples(send, named, limit), named)
  const noChat: Chat = { method: null, tried: 0, identifiers: new Map() }
  const identifiers = options.chats.slice(0, MAX_NAMED)
  const chat = await withinBudget(() => findChat(send, named.users, options.chatMethods, identifiers), noChat)
  const rows = {
    ...samples,
    users: samples.users.map((user) => {
      const chatId = chat.identifiers.get(user.id)
      return chatId === undefined ? user : { ...user, chatId }
    }),
  }
  const most = limit.most ?? Number.POSITIVE_INFINITY
  const seen = { users: ids, apps: idsOf(named.apps), rows, chatMethod: chat.method, most }
  const testRequests = requestsFor(seen)
  await withinBudget(async () => {
    for (const { query } of testRequests) await send(query)
    if (limit.example !== null) await send(inFormat('xml', limit.example))
  }, undefined)
  const changing = await findChanges(client, ids[0] ?? '')
  const list = testRequests.find(({ title }) => title === LIST_OF_USERS)?.query ?? ''
  const known = { ...seen, rows: refineRows(rows, outcomes.get(inFormat('xml', list))) }
  const responses = new Map(
    testRequests.flatMap(({ query }) => {
      const response = responseTo(outcomes, query)
      return response === null ? [] : [[query, legacyResponseOf(response)] as const]
    }),
  )
  const mask = maskOf(changing)
  const evidence = createEvidence({ responses, rows: known.rows, maxValues: most, mask })
  const dialect = dialectFor(evidence, readOff(outcomes, known, changing, limit), limit, options.earlier)
  return { client, known, limit, chat, changing, testRequests, evidence, dialect }
}

function dialectFor(
  evidence: Evidence,
  { start, alternatives }: SearchStart,
  { beyond }: ListLimit,
  earlier: Dialect | null,
): Dialect {
  // Only the search for the limit has sent lists beyond it.
  const tooMany = beyond === 'cut short' ? 'cut' : 'refuse'
  const usual: Dialect = { ...start, read: { ...start.read, tooMany } }
  // Two choices raise the score only together: reading 01 as 1, and naming its entry 1. Usernames are alike.
  const byRows: Dialect = { ...usual, entries: { ...usual.entries, ids: 'read', usernames: 'stored' } }
  const fitted = fitDialect(evidence, [usual, byRows], alternatives)
  const { read, entries, errors, cdata } = fitted
  const { usernames } = entries
  const { tooMany: refused } = errors.replies
  return preferValues(evidence, fitted, {
    ...fitted,
    // A service names entries of chat identifiers as those of usernames, unless a response shows otherwise.
    entries: earlier?.entries ?? (usernames === 'stored' ? entries : { ...entries, chats: usernames }),
    read: { ...(earlier?.read ?? read), tooMany },
    cdata: earlier?.cdata ?? cdata,
    // Refusals that no response needs are not recorded.
    errors: { ...errors, replies: refused === undefined ? {} : { tooMany: refused } },
  })
}
