// Whether an old service gives the same answer to the same question. Where two versions of it share an
// address, or where it changes while it is probed, no advice would be true.

import { questions, UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import { NoReply } from '../../stores/old-service/call.ts'
import { isFields } from '../answers/meaning.ts'
import { type Asking, CannotProbe, NoMoreRequests, type Outcome, questionOf } from './ask.ts'
import { describeOutcome, kindOf, meaningOfOutcome } from './describe.ts'

/**
 * Asks a few questions once more, after all others.
 * @param id of a user that it has
 * @throws CannotProbe where an answer is another one
 */
export async function refuseUnsteady({ askAgain, outcomes }: Asking, id: string): Promise<void> {
  const { byId, inXml, noList } = questions
  const user = byId([id])
  // The first one twice in a row: of two servers that take turns, each has it once.
  for (const query of [user, user, byId([id, UNKNOWN]), inXml(user), noList]) {
    const before = outcomes.get(questionOf(query))
    const after = before === undefined ? null : await askOnceMore(query)
    if (before === undefined || after === null || signOf(before) === signOf(after)) continue
    const [was, is] = [before, after].map((outcome) => describeOutcome(outcome, [id]))
    throw new CannotProbe(
      `Its responses change: ${query} returned ${was}, and later ${was === is ? 'the same with other types or fields' : is}. ` +
        'No settings can be advised. Probe a single server, with a lower --rate.',
    )
  }

  async function askOnceMore(query: string): Promise<Outcome | null> {
    return askAgain(query).catch((error: unknown) => {
      if (error instanceof NoMoreRequests) return null
      throw error
    })
  }
}

/** What does not change with the data: values may, and a number or the time in an error. */
function signOf(outcome: Outcome): string {
  if (outcome instanceof NoReply) return outcome.kind
  const { status, headers } = outcome
  const type = headers['content-type'] ?? ''
  const meaning = meaningOfOutcome(outcome)
  if (meaning?.kind !== 'entries') return JSON.stringify([status, type, meaning?.kind])
  const said = [...meaning.entries].map(([name, entry]) => [
    name,
    isFields(entry) ? entry.map(([field, { type: ofValue }]) => [field, ofValue]) : entry.type,
  ])
  return JSON.stringify([status, type, kindOf(outcome), meaning.root, said])
}
