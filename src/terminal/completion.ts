// What a shell completes: commander's own table of commands, options and choices.

import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/** As the scripts of shells read it: whether files are completed where there is nothing else. */
const directives = { files: 0, noFiles: 4 }

/** Adds the command `complete`, which prints a script for a shell, and answers what that script asks. */
export function addCompletion(program: Command, { stdout }: Terminal): void {
  const completion = tab(program)
  // The library keeps shells from completing files. Here, most arguments that have no choices are files.
  Object.defineProperty(completion, 'directive', {
    get: () => (completion.completions.length === 0 ? directives.files : directives.noFiles),
    set: () => {},
  })
  // And bash needs to be told so where the function is registered.
  program.hook('postAction', (_, { args: [shell] }) => {
    if (shell === 'bash') stdout.write('complete -o default -F __lookup_complete lookup\n')
  })
}
