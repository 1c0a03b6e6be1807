// The scripts of `lookup complete`, in real shells.

import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { need } from '../kit/programs.ts'
import { entry } from '../kit/run-lookup.ts'

const { path, remove } = temporaryFolder()
afterAll(remove)
beforeAll(() => {
  writeFileSync(join(path, 'lookup'), `#!/bin/sh\nexec '${process.execPath}' '${entry}' "$@"\n`)
  chmodSync(join(path, 'lookup'), 0o755)
})

const env = { ...process.env, PATH: `${path}:${process.env.PATH}` }
const runIn = (shell: string, ...args: string[]) =>
  execFileSync(shell, args, { cwd: path, env, encoding: 'utf8' })

const functions = '/usr/share/bash-completion/bash_completion'

/** What bash does after these words, the last of which is being typed: offers, and switches of its own. */
function offered(...words: string[]): string[] {
  const typed = ['lookup', ...words].map((word) => `'${word}'`).join(' ')
  const line = ['lookup', ...words].join(' ')
  return runIn(
    'bash',
    '-c',
    `source ${functions}; source <(lookup complete bash)
     compopt() { echo "compopt $*"; }
     COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
     __lookup_complete; printf '%s\\n' "\${COMPREPLY[@]}"`,
  )
    .split('\n')
    .map((offer) => offer.trim().split(/\s+\(/)[0] ?? '')
    .filter((offer) => offer !== '')
}

need('bash-completion', functions)

describe('bash', () => {
  test.each([
    ['commands', ['rep'], ['replay']],
    ['options', ['replay', '--lim'], ['--limit']],
    ['choices', ['import', 'us'], ['users']],
    ['choices of options', ['import', 'users', 'people.txt', '--format', 'c'], ['csv']],
  ])('completes %s', (_, words, offers) => {
    expect(offered(...words)).toEqual(['compopt +o default', ...offers])
  })

  test('completes files where there is nothing else', () => {
    expect(offered('replay', 'acc')).toEqual([])
    const registered = runIn(
      'bash',
      '-c',
      `source ${functions}; source <(lookup complete bash); complete -p lookup`,
    )
    expect(registered).toContain('-o default')
  })
})

test.for(['zsh', 'fish'] as const)('%s reads its script', (shell) => {
  need(shell)
  const script = join(path, `lookup.${shell}`)
  writeFileSync(script, runIn('lookup', 'complete', shell))
  expect(runIn(shell, '-n', script)).toBe('')
})
