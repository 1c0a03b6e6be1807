import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './gateway.ts'

const root = new URL('../..', import.meta.url).pathname

export const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The environment of its commands: Node as the scripts of npm find it. */
export const environment = { ...process.env, PATH: `${root}node_modules/.bin:${process.env.PATH}` }

/** A section, by its title; and all the others. */
export function section(title: string): { readonly text: string; readonly rest: string } {
  const text = new RegExp(`^## ${title}\n.*?(?=^## )`, 'ms').exec(readme)?.[0] ?? ''
  return { text, rest: readme.replace(text, '') }
}

/** A command as the README has it, and what it prints. */
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

/** The blocks of a text, each with what it is marked as. */
export function blocksOf(text: string): { readonly mark: string; readonly block: string }[] {
  return [...text.matchAll(/```(console|sh)\n(.*?)```/gs)].map(([, mark = '', block = '']) => ({
    mark,
    block,
  }))
}

/** A clone of its own, so that the database and the files the commands make are not in the repository. */
export function makeClone(): ReturnType<typeof temporaryFolder> {
  const clone = temporaryFolder()
  for (const part of ['src', 'schema', 'package.json'])
    cpSync(join(root, part), join(clone.path, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone.path, 'node_modules'))
  return clone
}
