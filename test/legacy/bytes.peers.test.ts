// PHP and Python write the bytes that bytes.jsonl records; vitest -u writes the file anew.
// dialects.peers.test.ts has generated texts.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createModel } from '../differential/model.ts'
import { temporaryFolder } from '../kit/gateway.ts'
import { need } from '../kit/programs.ts'
import { type ByteRow, byteFile, byteRows } from './support/bytes.ts'
import { caseData, caseFile } from './support/cases.ts'
import { readLines } from './support/lines.ts'
import { runPhp, runPython } from './support/programs.ts'

need('python3')

const writeInPython = (input: string) => runPython('write.py', input)
const programs: Readonly<Record<string, (input: string) => string>> = {
  json_encode: (input) => runPhp('write-json.php', [], input),
  'json.dumps': writeInPython,
  ElementTree: writeInPython,
  minidom: writeInPython,
}
const writeXml = (input: string) => runPhp('write-xml.php', [], input)

const users = { Id: 'integer', Username: 'string', DisplayName: 'string', Rank: 'integer' }
const types = {
  user: { ...users, JoinDate: 'integer', IsConfirmed: 'boolean', Banned: 'boolean' },
  app: {
    ...{ Title: 'string', Version: 'string', Category: 'integer', ChangelogLink: 'string' },
    ServiceDownloadLink: 'string',
  },
}

/** Habits of json_encode that a row does not name. */
function usualHabits({ apps }: ByteRow) {
  const shape = types[apps === undefined ? 'user' : 'app']
  return {
    ...{ unknown: 'null', empty: '{}', numbers: 'number', textEscapes: 'none', booleans: 'boolean' },
    ...{ flags: [], text: 'Not found', fields: Object.keys(shape), types: shape },
  }
}

const model = createModel(
  { users: readLines(caseData.users), apps: readLines(caseData.apps) },
  { isLenient: true, showsUnknown: true, serviceName: 'Service' },
)

/** How a program gets a row: the library, its habits, and the entries to write. */
function taskOf(row: ByteRow) {
  const { by = '', how = {}, dialect, users, ids, apps = [] } = row
  const kind = users ? 'USERNAME' : ids ? 'ID' : 'APP'
  const found = model.legacy({ kind, values: users ?? ids ?? apps })
  const facts = 'facts' in found ? found.facts : []
  const shown = facts.filter(([value]) => 'missing' in dialect || model.find(kind, value) !== null)
  return [by, by === 'json_encode' ? { ...usualHabits(row), ...how } : how, shown]
}

test('the recorded bytes are those of PHP and Python', async () => {
  const written = new Map<ByteRow, string>()
  const byLibraries = byteRows.filter(({ by }) => by !== undefined)
  for (const [run, rows] of Map.groupBy(byLibraries, ({ by = '' }) => programs[by] ?? writeXml)) {
    const texts: string[] = JSON.parse(run(JSON.stringify(rows.map(taskOf))))
    for (const [at, row] of rows.entries())
      written.set(row, Buffer.from(texts[at] ?? '', 'base64').toString())
  }
  const lines = byteRows.map((row) => {
    return `${JSON.stringify({ ...row, response: written.get(row) ?? row.response })}\n`
  })
  await expect(lines.join('')).toMatchFileSnapshot(byteFile)
})

test('php test/php/generate.php writes the cases that are there', () => {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const file = join(path, 'cases.jsonl')
  runPhp('generate.php', [file], '')
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(caseFile, 'utf8'))
})
