import { expect, test } from 'vitest'
import { judgements } from '../../src/migration/probe/judgements.ts'
import { facts } from './facts.ts'

/** The sentences of reports which say that a client notices no difference. */
const noticesNothing = ['nothing', 'nothing: browsers remove it', 'Newtonsoft ignores it']

test.each(facts)('$client, $difference', ({ client, difference, cases }) => {
  const notices = cases.some(({ result, becomes }) => result !== becomes)
  expect(notices).toBe(!noticesNothing.includes(judgements[difference][client]))
})
