// What the judgements say of usual clients is what the real ones do.

import { beforeAll, describe, expect, test } from 'vitest'
import { judgements } from '../../src/migration/probe/judgements.ts'
import { hasLibrary, hasProgram } from '../kit/programs.ts'
import type { Claims } from './claim.ts'
import { csharp, jacksonFiles, java, javascript, newtonsoftFile, php } from './programs.ts'
import { type Client, resultsOf } from './run.ts'
import { csharpClaims } from './tables/csharp.ts'
import { javaClaims } from './tables/java.ts'
import { javascriptClaims } from './tables/javascript.ts'
import { phpClaims } from './tables/php.ts'

const clients: readonly {
  readonly language: 'javascript' | 'php' | 'java' | 'csharp'
  readonly claims: Claims
  readonly client: Client
  readonly isThere: boolean
}[] = [
  { language: 'javascript', claims: javascriptClaims, client: javascript, isThere: hasProgram('chromium') },
  { language: 'php', claims: phpClaims, client: php, isThere: hasProgram('php') },
  {
    language: 'java',
    claims: javaClaims,
    client: java,
    isThere: hasProgram('java') && hasLibrary('jackson', jacksonFiles),
  },
  {
    language: 'csharp',
    claims: csharpClaims,
    client: csharp,
    isThere: hasProgram('mcs') && hasProgram('mono') && hasLibrary('newtonsoft', [newtonsoftFile]),
  },
]

/** They say that a client does not notice. */
const harmlessSentences = ['nothing', 'nothing: browsers remove it', 'Newtonsoft ignores it']

describe.each(clients)('$language', ({ language, claims, client, isThere }) => {
  test.each(Object.entries(judgements))(
    'the sentence about %s is the one that is checked',
    (name, judgement) => {
      expect(claims[name as keyof typeof judgements].says).toBe(judgement[language])
    },
  )

  test('where it says "nothing", the client makes the same of both, and where it says more, it does not', () => {
    const wrong = Object.entries(claims).filter(([, claim]) => {
      const outcomes = 'cases' in claim ? claim.cases : []
      const notices = outcomes.some(([, [, was], [, is]]) => was !== is)
      return outcomes.length > 0 && notices === harmlessSentences.includes(claim.says)
    })
    expect(wrong.map(([name]) => name)).toEqual([])
  })

  describe.skipIf(!isThere)('the real client', () => {
    let results: Awaited<ReturnType<typeof resultsOf>>
    beforeAll(async () => {
      results = await resultsOf(claims, client)
    })

    const checked = Object.entries(claims).flatMap(([name, claim]) =>
      'cases' in claim ? [[name, claim.says, claim.cases] as const] : [],
    )
    test.each(checked)('%s: %s', (name, _, cases) => {
      const made = results.get(name) ?? []
      const found = cases.map(([code], at) => [code, made[2 * at], made[2 * at + 1]])
      expect(found).toEqual(cases.map(([code, [, was], [, is]]) => [code, was, is]))
    })
  })
})
