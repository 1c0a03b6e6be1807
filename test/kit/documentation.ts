// The pages of the documentation, and what of them can be run.

import { cpSync, globSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './gateway.ts'

export const root = new URL('../..', import.meta.url).pathname

/** Every page that is kept by hand or made, by its path. */
export const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()]

export const readPage = (page: string) => readFileSync(join(root, page), 'utf8')

/** The environment of their commands: Node as the scripts of npm find it. */
export const environment = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` }

/** A command as a page has it, and what it prints. */
export interface Step {
  readonly command: string
  readonly output: string
}

/**
 * A block marked `console`: commands after `$ `, here-documents to their END, and the output between them.
 */
export function stepsOf(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const hereDocument = /^[^\n]*<<'END'\n.*?\nEND\n/s.exec(step)?.[0]
      const command = hereDocument ?? step.slice(0, step.indexOf('\n') + 1)
      return { command: command.trimEnd(), output: step.slice(command.length) }
    })
}

/** The blocks of a page, each with what it is marked as. */
export function blocksOf(page: string): { readonly mark: string; readonly block: string }[] {
  return [...page.matchAll(/```(console|sh)\n(.*?)```/gs)].map(([, mark = '', block = '']) => ({
    mark,
    block,
  }))
}

/** A clone of its own, so that the database and the files the commands make are not in the repository. */
export function makeClone(): ReturnType<typeof temporaryFolder> {
  const clone = temporaryFolder()
  for (const part of ['bin', 'src', 'schema', 'package.json'])
    cpSync(join(root, part), join(clone.path, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone.path, 'node_modules'))
  return clone
}
