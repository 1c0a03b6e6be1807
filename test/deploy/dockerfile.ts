// A Dockerfile's instructions, carried out in a folder that stands for the image. What is not known here is
// an error, so that nothing can be passed over in silence.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Image {
  /** What FROM, USER, EXPOSE and the like say. */
  readonly says: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** Where commands run, as a folder of this machine. */
  readonly folder: string
  /** A command in exec form, with the image's paths as this machine's. */
  readonly command: (...instructions: readonly string[]) => string[]
}

interface Build {
  /** Holds Dockerfile and .dockerignore. */
  readonly context: string
  /** Stands for the image's /; holds what the base image brings. */
  readonly root: string
  /** The environment of the build. */
  readonly env: NodeJS.ProcessEnv
}

export function buildImage({ context, root, env: builder }: Build): Image {
  const allowed = contextOf(context)
  const says: Record<string, string> = {}
  const env: Record<string, string> = {}
  let workdir = '/'
  const inImage = (path: string) => join(root, resolve(workdir, path))

  for (const [name, rest] of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (name === 'ENV') {
      for (const pair of rest.split(' '))
        env[pair.slice(0, pair.indexOf('='))] = pair.slice(pair.indexOf('=') + 1)
    } else if (name === 'WORKDIR') {
      workdir = resolve(workdir, rest)
      mkdirSync(inImage('.'), { recursive: true })
    } else if (name === 'COPY') {
      const sources = rest.split(' ')
      const target = sources.pop() ?? ''
      for (const source of sources) {
        if (!allowed.includes(source)) throw new Error(`.dockerignore keeps ${source} out`)
        // Of a folder, COPY takes what is in it.
        const inside = statSync(join(context, source)).isDirectory() ? target : join(target, source)
        cpSync(join(context, source), inImage(inside), { recursive: true })
      }
    } else if (name === 'RUN') {
      const command = rest.replace(/^(?:--mount=\S+ +)+/, '')
      const run = spawnSync('/bin/sh', ['-c', command], {
        cwd: inImage('.'),
        env: { ...builder, ...env },
        encoding: 'utf8',
      })
      if (run.status !== 0) throw new Error(`RUN ${rest}: ${run.stderr}${run.stdout}`)
    } else if (/^(?:FROM|USER|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/.test(name)) {
      says[name] = rest
    } else throw new Error(`${name} is not known here`)
  }

  const command: Image['command'] = (...instructions) =>
    instructions
      .flatMap((name) => execForm(says[name] ?? ''))
      .map((word) => {
        const path = join(root, word)
        return word.startsWith('/') && existsSync(path) ? path : word
      })
  return { says, env, folder: inImage('.'), command }
}

/** What of the context the build may see: .dockerignore's last word on each entry. */
function contextOf(folder: string): string[] {
  const patterns = linesOf(readFileSync(join(folder, '.dockerignore'), 'utf8'))
  return readdirSync(folder).filter((entry) => {
    let ignored = false
    for (const pattern of patterns) {
      if (!/^(?:\*|![\w.-]+)$/.test(pattern)) throw new Error(`the pattern ${pattern} is not known here`)
      if (pattern === '*') ignored = true
      else if (pattern === `!${entry}`) ignored = false
    }
    return !ignored
  })
}

function instructionsOf(text: string): [name: string, rest: string][] {
  const joined = linesOf(text)
    .join('\n')
    .replace(/\\\n */g, '')
  return joined.split('\n').map((line) => {
    const [, name = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    return [name, rest]
  })
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

/** The words of `CMD ["…"]`, or of what ends with it. */
function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text.slice(text.indexOf('[')))
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string'))
    throw new Error(`no words: ${text}`)
  return words
}
