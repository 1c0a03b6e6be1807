import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { caseFile } from './support/cases.ts'
import { runPhp } from './support/programs.ts'

test('php test/php/generate.php writes the cases that are there', () => {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  const file = join(path, 'cases.jsonl')
  runPhp('generate.php', [file], '')
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(caseFile, 'utf8'))
})
