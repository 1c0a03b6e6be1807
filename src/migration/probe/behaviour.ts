// One thing that a probe looks at: a question, how its answer is put in words, and what a difference means.

import { NoReply, type Reply } from '../../stores/old-service/call.ts'
import type { Field } from '../answers/meaning.ts'
import type { Ask, Outcome } from './ask.ts'
import { describeNoReply, describeOutcome, fieldsOf, kindOf, meaningOfOutcome } from './describe.ts'
import type { Finding, Judge } from './finding.ts'
import type { JudgementName } from './judgements.ts'
import { judgeAnswers } from './judging.ts'

export interface Behaviour {
  readonly name: string
  /** The one question, where the bytes of its answer are compared. */
  readonly query?: string
  readonly observe: (ask: Ask) => Promise<Finding>
  readonly judge: Judge
  /** Whether it is the gateway's own, whatever its store is. */
  readonly isOwn?: true
}

/** A question, and its answer in words. */
export function asked(
  name: string,
  query: string,
  describe: (outcome: Outcome) => string,
  judge: Judge,
): Behaviour {
  return {
    name,
    query,
    judge,
    observe: async (ask) => {
      const outcome = await ask(query)
      return { kind: kindOf(outcome), text: describe(outcome) }
    },
  }
}

/** What is said of the values that are asked for. */
export function entries(
  name: string,
  query: string,
  values: readonly string[],
  judgement: JudgementName = 'reading',
): Behaviour {
  return asked(name, query, (outcome) => describeOutcome(outcome, values), judgeAnswers(judgement))
}

/** One entry, field by field. */
export function fields(
  name: string,
  query: string,
  value: string,
  describe: (outcome: Outcome, value: string) => string,
): Behaviour {
  return {
    name,
    query,
    judge: judgeAnswers('otherValue'),
    observe: async (ask) => {
      const outcome = await ask(query)
      const found = fieldsOf(outcome, value)
      const finding = { kind: kindOf(outcome), text: describe(outcome, value) }
      return found === null
        ? finding
        : { ...finding, fields: [...rootOf(outcome), ...found], isXml: isXml(outcome) }
    },
  }
}

/** The root element, as if it were a field. */
function rootOf(outcome: Outcome): Field[] {
  const meaning = meaningOfOutcome(outcome)
  if (meaning?.kind !== 'entries' || meaning.root === '') return []
  return [['the root element', { type: 'text', text: meaning.root }]]
}

const isXml = (outcome: Outcome) => rootOf(outcome).length > 0

/** What only bytes and headers show. The store has no part in it. */
export function form(
  name: string,
  query: string,
  read: (reply: Reply) => string,
  judge: Judge,
  method: 'GET' | 'HEAD' = 'GET',
): Behaviour {
  return {
    name,
    judge,
    isOwn: true,
    ...(method === 'GET' && { query }),
    observe: async (ask) => {
      const outcome = await ask(query, method === 'GET' ? {} : { method })
      const text = outcome instanceof NoReply ? describeNoReply(outcome) : read(outcome)
      return { kind: outcome instanceof NoReply ? 'none' : 'entries', text }
    },
  }
}
