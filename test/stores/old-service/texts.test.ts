// Texts that an old service writes for HTML are read as what they were, once.

import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/config.ts'
import { openOldServiceStore } from '../../../src/stores/old-service/store.ts'
import { startAnswering, userOf } from '../../kit/answering.ts'

const written = '&quot;Salt&quot; &amp; &lt;Pepper&gt; &#039;n &amp;amp; &amp;lt; \u00e9'

test.for([
  ['none', written],
  ['html', '"Salt" & <Pepper> \'n &amp; &lt; \u00e9'],
  ['compat-json', '"Salt" & <Pepper> \'n &amp; &lt; \u00e9'],
])('with LEGACY_TEXT_ESCAPES=%s', async ([words = '', read]) => {
  const { url, close } = await startAnswering((_, response) => {
    const user = { ...userOf('1'), Username: 'salt&amp;pepper', DisplayName: written }
    response.end(JSON.stringify({ 'salt&pepper': user }))
  })
  onTestFinished(close)
  const { database } = readConfig({ flags: { DATABASE_URL: url, LEGACY_TEXT_ESCAPES: words } })
  if (database.kind !== 'old-service') throw new Error('not an old service')
  const store = openOldServiceStore(database, () => {})
  const username = words === 'none' ? 'salt&amp;pepper' : 'salt&pepper'
  expect(await store.findUsers('USERNAME', ['salt&pepper'])).toMatchObject([{ username, displayName: read }])
})
