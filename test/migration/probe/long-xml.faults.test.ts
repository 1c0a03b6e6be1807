// XML of a megabyte: a regex that goes back over each mark would take minutes.

import { expect } from 'vitest'
import { test } from '../../kit/test.ts'
import { probe, startOdd, usual, withBody } from './support.ts'

test.for([
  ['marks', '>'.repeat(300_000), ''],
  ['apostrophes', `${"'".repeat(300_000)}>`, ''],
  ['parts of a comment', '', `<!--${'<Data <a <?xml <![CDATA[ '.repeat(15_000)}-->`],
  ['elements', '', '<a/>'.repeat(210_000)],
])('many %s', { timeout: 60_000 }, async ([, text, after], { place }) => {
  const { url } = await startOdd((asked) =>
    withBody(usual(asked), (body) =>
      body.replace('<Rank>', `<Rank>${text}`).replace('</ServiceAPI>', `${after}</ServiceAPI>`),
    ),
  )
  const { status, stderr } = await probe(place, url, ['--apps', '', '--users', '1'])
  expect(stderr).not.toMatch(/^error/m)
  expect(status).toBeTypeOf('number')
})
