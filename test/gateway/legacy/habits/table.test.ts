// A habit is one file and one row of the table, and one finds it by the name of its setting.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { habitSettings } from '../../../../src/gateway/legacy/habits/index.ts'

const folder = new URL('../../../../src/gateway/legacy/habits/', import.meta.url).pathname

test('each habit has a file that is named like its setting, and each such file is a habit of the table', () => {
  const files = globSync('*.ts', { cwd: folder }).filter((file) =>
    /^export const \w+(?:: Habit<.*>)? = habit\(/m.test(readFileSync(folder + file, 'utf8')),
  )
  const named = Object.values(habitSettings).map(
    ({ name }) => `${name.replace('LEGACY_', '').toLowerCase().replaceAll('_', '-')}.ts`,
  )
  expect(named.toSorted()).toEqual(files.toSorted())
  expect(named.length).toBeGreaterThan(30)
})
