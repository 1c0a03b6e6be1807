// The writers against PHP itself, for generated answers.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seedOf } from '../../../kit/generate.ts'
import { hasProgram } from '../../../kit/programs.ts'
import { type Answer, answer, write } from '../support/answers.ts'
import { runPhp } from '../support/programs.ts'

/** Answers in one PHP process. */
const BATCH = 1000

test.skipIf(!hasProgram('php'))('JSON and XML are the bytes of json_encode and asXML', () => {
  const seed = seedOf('formats/php.test.ts')
  const answers = fc.sample(answer, { seed, numRuns: BATCH })
  const written: [json: string, xml: string][] = JSON.parse(
    runPhp('write.php', [], JSON.stringify(answers.map(toLists))),
  )
  expect(written).toHaveLength(BATCH)
  answers.forEach((made, index) => {
    expect([write(made, 'JSON'), write(made, 'XML')], `answer ${index} of SEED=${seed}`).toEqual(
      written[index],
    )
  })
})

/** As test/php/write.php reads it. */
function toLists({ event, values, entries }: Answer) {
  return values.map((value, index) => {
    const entry = entries[index] ?? null
    return [value, entry === null ? null : event.fields.map(({ name, source }) => [name, entry[source]])]
  })
}
