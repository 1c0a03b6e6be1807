// One probe: sends requests to the old service, and fits a dialect to its responses.

import type { Clock } from '../../clock.ts'
import { choices } from '../../legacy/choices.ts'
import type { Dialect } from '../../legacy/dialect.ts'
import { withValue } from '../../legacy/dialect-places.ts'
import type { Call } from '../../stores/old-service/call.ts'
import { createPace } from '../pace.ts'
import { type ChangePrefixes, findChanges, maskOf } from './changes.ts'
import { type Chat, findChat } from './chat.ts'
import { createProbeClient, type ProbeClient, withinBudget } from './client.ts'
import { createEvidence, type Evidence, fitDialect, unseenChoices } from './fit.ts'
import { findListLimit, type ListLimit } from './limit.ts'
import { readOff } from './read-off.ts'
import { inFormat, LIST_OF_USERS, requestsFor, type ServiceData, type TestRequest } from './requests.ts'
import { legacyResponseOf, responseTo } from './responses.ts'
import { graphqlRows, refineRows } from './rows.ts'
import { findNamed, findSamples } from './samples.ts'

/** Values that are used of each of --users, --apps and --chats. */
const MAX_NAMED = 3

export interface ProbeOptions {
  /** Existing ids. */
  readonly users: readonly string[]
  readonly apps: readonly string[]
  /** Identifiers of the chat platform, of existing users. */
  readonly chats: readonly string[]
  /** Words to try first as the method of the chat platform. */
  readonly chatMethods: readonly string[]
  /** Requests per second. */
  readonly rate: number
  /** Requests at most. */
  readonly requests?: number | undefined
  readonly signal: AbortSignal
  /** The clock of its pauses. */
  readonly clock?: Clock | undefined
  readonly onProgress: (sent: number) => void
  /** The dialect of an earlier probe: the search starts from its choices of reading and naming, too. */
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
  readonly costs: () => ProbeCosts
}

export interface ProbeCosts {
  readonly sent: number
  /** Milliseconds of the slowest response. */
  readonly slowest: number
  /** Content-Encodings of responses: no request had an Accept-Encoding. */
  readonly codings: readonly string[]
}

/** @throws ProbeError */
export async function probe(call: Call, options: ProbeOptions): Promise<ProbeResult> {
  let slowest = 0
  const codings = new Set<string>()
  const timed: Call = async (query, callOptions) => {
    const started = performance.now()
    const response = await call(query, callOptions)
    if (response.coding !== undefined) codings.add(response.coding)
    slowest = Math.max(slowest, performance.now() - started)
    return response
  }
  const { rate, signal, clock, requests: budget, onProgress: onSent } = options
  const client = createProbeClient(timed, { pace: createPace(rate, clock), signal, onSent, budget, clock })
  const { send, outcomes } = client
  const named = await findNamed(send, {
    users: options.users.slice(0, MAX_NAMED),
    apps: options.apps.slice(0, MAX_NAMED),
  })
  const ids = named.users.map(({ id }) => String(id))
  const noLimit: ListLimit = { most: 1, isComplete: false, beyond: null, example: null, outcomes: [] }
  const limit = await withinBudget(() => findListLimit(send, ids), noLimit)
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
  const known: ServiceData = {
    users: ids,
    apps: named.apps.map(({ id }) => String(id)),
    rows,
    chatMethod: chat.method,
    most: limit.most ?? Number.POSITIVE_INFINITY,
  }
  const testRequests = requestsFor(known)
  await withinBudget(async () => {
    for (const { query } of testRequests) await send(query)
    if (limit.example !== null) await send(inFormat('xml', limit.example.query))
  }, undefined)
  const changing = await findChanges(client, ids[0] ?? '')
  const responses = new Map(
    testRequests.flatMap(({ query }) => {
      const response = responseTo(outcomes, query)
      return response === null ? [] : [[query, legacyResponseOf(response)] as const]
    }),
  )
  const list = testRequests.find(({ title }) => title === LIST_OF_USERS)?.query ?? ''
  const inXml = outcomes.get(inFormat('xml', list))
  const all = inXml === undefined ? rows : refineRows(rows, inXml)
  const { start, alternatives } = readOff(outcomes, { ...known, rows: all }, changing, limit)
  const mask = maskOf(changing)
  const evidence = createEvidence({ responses, rows: graphqlRows(all), maxValues: known.most, mask })
  const { earlier } = options
  // Only the search for the limit has sent lists beyond it.
  const tooMany = limit.beyond === 'cut short' ? 'cut' : 'refuse'
  const usual: Dialect = { ...start, read: { ...start.read, tooMany } }
  // Two choices raise the score only together: reading 01 as 1, and naming its entry 1. Usernames are alike.
  const byRows: Dialect = { ...usual, entries: { ...usual.entries, ids: 'read', usernames: 'stored' } }
  const before = earlier === null ? [] : [withChoicesOf(earlier, usual)]
  const fitted = fitDialect(evidence, [...before, usual, byRows], alternatives)
  // An earlier probe may have seen chat identifiers.
  const dialect = earlier === null ? withChatsLikeUsernames(fitted, evidence) : fitted
  const costs = () => ({ sent: client.sent(), slowest, codings: [...codings] })
  return {
    client,
    known: { ...known, rows: all },
    limit,
    chat,
    changing,
    testRequests,
    evidence,
    dialect,
    costs,
  }
}

/** A service names entries of chat identifiers as those of usernames, unless a response shows otherwise. */
function withChatsLikeUsernames(dialect: Dialect, evidence: Evidence): Dialect {
  const path = ['entries', 'chats']
  const { usernames } = dialect.entries
  const place = choices.filter((one) => one.path.join() === path.join())
  const isUnseen = unseenChoices(evidence, dialect, place).some(({ values }) => values.includes(usernames))
  return isUnseen ? withValue(dialect, path, usernames) : dialect
}

/** A start with the choices of an earlier dialect that only several responses together show. */
function withChoicesOf({ read, entries, cdata }: Dialect, usual: Dialect): Dialect {
  return { ...usual, read: { ...read, tooMany: usual.read.tooMany }, entries, cdata }
}
