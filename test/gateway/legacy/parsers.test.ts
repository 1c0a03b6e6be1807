// Parsers of other projects read the answers, and agree on every fact.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway, temporaryFolder } from '../../kit/gateway.ts'
import { hasProgram } from '../../kit/programs.ts'
import { caseData } from './support/cases.ts'
import { askTwins, goldenAnswers, publishedXsd, type Twins } from './support/documents.ts'
import { asXmlSays, type Fact, jsonFacts, sorted, xmlFacts } from './support/facts.ts'
import { run, runPhp, runPython } from './support/programs.ts'

let gateway: Gateway
let twins: Twins[]
beforeAll(async () => {
  gateway = await startGateway({}, caseData)
  twins = await askTwins(gateway)
  expect(twins.length).toBeGreaterThan(50)
})
afterAll(() => gateway.close())

test('xmllint-wasm and JSON.parse agree', async () => {
  const fromXml = await xmlFacts(
    twins.map(({ xml }) => xml),
    publishedXsd,
  )
  twins.forEach(({ query, json }, index) => {
    expect(sorted(fromXml[index] ?? []), query).toEqual(jsonFacts(json))
  })
})

test('xmllint-wasm reads every golden answer', async () => {
  const golden = goldenAnswers('XML')
  expect(golden.length).toBeGreaterThan(20)
  expect(await xmlFacts(golden, publishedXsd)).toHaveLength(golden.length)
})

// Here the order counts, too: these parsers keep it.
describe.each([
  ['PHP', hasProgram('php'), (input: string) => runPhp('facts.php', [], input)],
  ['Python', hasProgram('python3'), (input: string) => runPython('facts.py', input)],
] as const)('%s', (_name, found, readFacts) => {
  const read = (bodies: readonly string[]): Fact[][] => JSON.parse(readFacts(JSON.stringify(bodies)))

  test.skipIf(!found)('finds the same facts in JSON and in XML, in the same order', () => {
    const fromJson = read(twins.map(({ json }) => json))
    const fromXml = read(twins.map(({ xml }) => xml))
    twins.forEach(({ query, json }, index) => {
      expect(asXmlSays(fromJson[index] ?? []), query).toEqual(fromXml[index])
      expect(sorted(asXmlSays(fromJson[index] ?? [])), query).toEqual(jsonFacts(json))
    })
  })

  test.skipIf(!found)('reads every golden answer', () => {
    const golden = [...goldenAnswers('JSON'), ...goldenAnswers('XML')]
    expect(read(golden)).toHaveLength(golden.length)
  })
})

test.skipIf(!hasProgram('xmllint'))('xmllint validates every XML answer', () => {
  const { path, remove } = temporaryFolder()
  try {
    const files = [...twins.map(({ xml }) => xml), ...goldenAnswers('XML')].map((body, index) => {
      const file = join(path, `${index}.xml`)
      writeFileSync(file, body, 'latin1')
      return file
    })
    writeFileSync(join(path, 'legacy.xsd'), publishedXsd)
    expect(() => run('xmllint', ['--noout', '--schema', join(path, 'legacy.xsd'), ...files])).not.toThrow()
  } finally {
    remove()
  }
})
