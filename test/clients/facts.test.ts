import { expect, test } from 'vitest'
import { judgements } from '../../src/migration/probe/judgements.ts'
import { facts } from './facts.ts'

/** The sentences of reports which say that a client notices no difference. */
const noticesNothing = ['nothing', 'nothing: browsers remove it', 'Newtonsoft ignores it']

const sentences = Object.entries(judgements).flatMap(([difference, judgement]) =>
  (['javascript', 'php', 'java', 'csharp'] as const).flatMap((client) => {
    const known = facts.filter((fact) => fact.difference === difference && fact.client === client)
    return known.length === 0 ? [] : [{ client, difference, says: judgement[client], known }]
  }),
)

test.each(sentences)('$client, $difference: $says', ({ says, known }) => {
  const notices = known.some(({ result, becomes }) => result !== becomes)
  expect(notices).toBe(!noticesNothing.includes(says))
})
