import DataLoader from 'dataloader'
import { type Caller, hasLeft } from '../../caller.ts'
import { LookupError } from '../../errors.ts'
import { failureOfAll } from '../../stores/items.ts'
import type { Awaitable, Item, Question, Sharing } from '../../stores/store.ts'
import type { Gate } from './gate.ts'

/** Finds one item per value, in order, for several questions at once. */
export type Find<Row> = (values: readonly string[], sharing: Sharing<Row>) => Awaitable<readonly Item<Row>[]>

/** Asks for one item per value, in order, on behalf of a client. */
export type Load<Row> = (values: readonly string[], caller?: Caller | null) => Promise<readonly Item<Row>[]>

/** Lists of up to so many values, and how many of them one call of the store may answer. */
interface Size {
  readonly values: number
  readonly questions: number
}
const short: Size = { values: 32, questions: 64 }
/** More in one call would cost no less, and the first of them would wait for the last. */
const middle: Size = { values: 128, questions: 2 }
/** Others would have to wait for all of it, and its rows be in memory together with theirs. */
const long: Size = { values: Number.POSITIVE_INFINITY, questions: 1 }

/**
 * Batching, explained once.
 *
 * Every `users(…)` or `apps(…)` field of every request, legacy or GraphQL, asks one DataLoader that belongs
 * to the whole process. It hands over what has come together, as one call of the store, whose answer is cut
 * up again:
 *
 * - A store that answers at once (SQLite) is asked when all input that was waiting has been read (Node's
 *   `setImmediate`): fields of one request meet, and so do requests that arrive at once. `http/overload.ts`
 *   starts so few of a burst in each turn of the event loop that other requests have theirs.
 * - A store that answers later (PostgreSQL) is asked as soon as it has room for one more call. Until then
 *   questions go on coming together: the busier it is, the more of them share a query. What waits for too
 *   long is refused.
 *
 * Either way no timer is involved, and a lone request waits for no other.
 *
 * A key is a whole list of values rather than one value: a request for 100 users then costs one promise
 * instead of 100. Nothing is cached, so a change of the data is visible to the next request. Values of a
 * client that has left meanwhile are not asked for. Where a call fails because of one row, the requests that
 * shared it ask again, by halves. A store that needs several rounds of calls for one query (an old service)
 * answers each question as soon as it can.
 *
 * @param gate limits the calls of a store that answers later; `null` for one that answers at once
 */
export function createBatches<Row>(find: Find<Row>, gate: Gate | null): Load<Row> {
  const isSync = gate === null
  // Where calls take their time, a list of middle length is a call of its own.
  const loaders = [short, ...(isSync ? [middle] : []), long].map((size) => ({
    values: size.values,
    loader: createLoader(find, gate, size.questions),
  }))
  function load(asked: Asked<Row>): Promise<readonly Item<Row>[]> {
    for (const { values, loader } of loaders) if (asked.values.length <= values) return loader.load(asked)
    throw new Error('no list is longer than any')
  }
  if (isSync) return (values, caller = null) => load({ values, caller, answer: ignore })
  return (values, caller = null) =>
    new Promise((resolve, reject) => {
      const answer = (given: Answer<Row>) => (given instanceof Error ? reject(given) : resolve(given))
      load({ values, caller, answer }).then(resolve, reject)
    })
}

/** A question, and how to answer it before the others in its call are answered. */
interface Asked<Row> extends Question {
  readonly answer: (answer: Answer<Row>) => void
}

const ignore = () => {}

function createLoader<Row>(find: Find<Row>, gate: Gate | null, maxBatchSize: number) {
  const [answer, schedule] = gate === null ? atOnce(find) : throughGate(find, gate)
  return new DataLoader<Asked<Row>, readonly Item<Row>[]>(answer, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: schedule,
  })
}

/** What a DataLoader needs: how questions are answered, and when. */
type Batching<Row> = readonly [
  answer: (questions: readonly Asked<Row>[]) => Promise<readonly Answer<Row>[]>,
  schedule: (dispatch: () => void) => void,
]

function atOnce<Row>(find: Find<Row>): Batching<Row> {
  return [(questions) => findAll(find, questions, ignore), setImmediate]
}

function throughGate<Row>(find: Find<Row>, gate: Gate): Batching<Row> {
  let admitted = true
  async function answer(questions: readonly Asked<Row>[]): Promise<readonly Answer<Row>[]> {
    if (!admitted) throw new LookupError('Overloaded')
    let isInside = true
    const leave = () => {
      if (isInside) gate.leave()
      isInside = false
    }
    try {
      return await findAll(find, questions, leave)
    } finally {
      leave()
    }
  }
  const schedule = (dispatch: () => void) =>
    gate.schedule((yes) => {
      admitted = yes
      dispatch()
    })
  return [answer, schedule]
}

type Answer<Row> = readonly Item<Row>[] | Error

async function findAll<Row>(
  find: Find<Row>,
  questions: readonly Asked<Row>[],
  leave: () => void,
): Promise<readonly Answer<Row>[]> {
  const [first] = questions
  if (questions.length === 1 && first !== undefined) return [await findOne(find, first, leave)]
  const asked = questions.filter(({ caller }) => !hasLeft(caller))
  try {
    const rows =
      asked.length === 0
        ? []
        : await find(
            asked.flatMap(({ values }) => values),
            sharingOf(asked, leave),
          )
    let next = 0
    let end = 0
    return questions.map((question) => {
      if (asked[next] !== question) return new LookupError('CallerLeft')
      next++
      end += question.values.length
      return answerOf(rows.slice(end - question.values.length, end))
    })
  } catch (error) {
    if (error instanceof LookupError) throw error
    // A row that cannot be read (a number out of range, say) is the trouble of the requests that asked for
    // it: found by halves.
    const middle = questions.length >> 1
    const half = await findAll(find, questions.slice(0, middle), leave)
    return [...half, ...(await findAll(find, questions.slice(middle), leave))]
  }
}

function sharingOf<Row>(questions: readonly Asked<Row>[], leave: () => void): Sharing<Row> {
  const nextRound: Sharing<Row>['nextRound'] = (answered) => {
    for (const [at, items] of answered) questions[at]?.answer(answerOf(items))
    leave()
  }
  return { questions, nextRound }
}

/**
 * A list of which every item failed is a failure of the list, as it is where no other lookup shares the call.
 */
function answerOf<Row>(items: readonly Item<Row>[]): Answer<Row> {
  return failureOfAll(items) ?? items
}

async function findOne<Row>(find: Find<Row>, question: Asked<Row>, leave: () => void): Promise<Answer<Row>> {
  if (hasLeft(question.caller)) return new LookupError('CallerLeft')
  try {
    return answerOf(await find(question.values, sharingOf([question], leave)))
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
