// A Dockerfile's instructions, carried out in folders that stand for the images of its stages. What is not
// known here is an error, so that nothing can be passed over in silence.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

export interface Image {
  /** What FROM, USER, EXPOSE and the like say of the last stage. */
  readonly says: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  /** Stands for the image's /. */
  readonly root: string
  /** Where commands run, as a folder of this machine. */
  readonly folder: string
  /** A command in exec form, with the image's paths as this machine's. */
  readonly command: (...instructions: readonly string[]) => string[]
}

interface Build {
  /** Holds Dockerfile and .dockerignore. */
  readonly context: string
  /** Holds what the base image brings. */
  readonly base: string
  /** Where the folders of the stages are made. */
  readonly workplace: string
  /** The environment of the build. */
  readonly env: NodeJS.ProcessEnv
  /** Who runs what comes after USER. */
  readonly user: { readonly uid?: number; readonly gid?: number }
}

interface Stage {
  readonly root: string
  workdir: string
  readonly says: Record<string, string>
  readonly env: Record<string, string>
}

export function buildImage({ context, base, workplace, env: builder, user }: Build): Image {
  const allowed = contextOf(context)
  const stages = new Map<string, Stage>()
  let stage: Stage = { root: base, workdir: '/', says: {}, env: {} }
  const inImage = (path: string) => join(stage.root, resolve(stage.workdir, path))
  /** The image's path as this machine's, where it is one. */
  const mapped = (word: string) => (/^\/\w/.test(word) ? join(stage.root, word) : word)

  for (const [name, rest] of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (name === 'FROM') {
      const [from = '', , as = ''] = rest.split(' ')
      const below = stages.get(from)
      const root = join(workplace, `stage-${stages.size}`)
      cpSync(below?.root ?? base, root, { recursive: true, verbatimSymlinks: true })
      const says = { ...below?.says, FROM: below?.says.FROM ?? from }
      stage = { root, workdir: below?.workdir ?? '/', says, env: { ...below?.env } }
      stages.set(as, stage)
    } else if (name === 'ENV') {
      for (const pair of rest.split(' '))
        stage.env[pair.slice(0, pair.indexOf('='))] = mapped(pair.slice(pair.indexOf('=') + 1))
    } else if (name === 'WORKDIR') {
      stage.workdir = resolve(stage.workdir, rest)
      mkdirSync(inImage('.'), { recursive: true })
    } else if (name === 'COPY') {
      const [, from = '', paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? []
      const sources = paths.split(' ')
      const target = sources.pop() ?? ''
      for (const source of sources) {
        if (from === '' && !allowed.includes(source.split('/')[0] ?? ''))
          throw new Error(`.dockerignore keeps ${source} out`)
        const found = join(from === '' ? context : (stages.get(from)?.root ?? ''), source)
        // Of a folder, COPY takes what is in it.
        const inside = statSync(found).isDirectory() ? target : join(target, basename(source))
        cpSync(found, inImage(inside), { recursive: true })
      }
    } else if (name === 'RUN') {
      const command = rest.replace(/^(?:--mount=\S+ +)+/, '')
      const run = spawnSync('/bin/sh', ['-c', command.split(' ').map(mapped).join(' ')], {
        cwd: inImage('.'),
        env: { ...builder, ...stage.env },
        encoding: 'utf8',
        ...(stage.says.USER === undefined ? {} : user),
      })
      if (run.status !== 0) throw new Error(`RUN ${rest}: ${run.stderr}${run.stdout}`)
    } else if (/^(?:USER|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/.test(name)) {
      stage.says[name] = rest
    } else throw new Error(`${name} is not known here`)
  }

  const { root, says, env } = stage
  const command: Image['command'] = (...instructions) =>
    instructions
      .flatMap((name) => execForm(says[name] ?? ''))
      .map((word) => (existsSync(mapped(word)) ? mapped(word) : word))
  return { says, env, root, folder: inImage('.'), command }
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
