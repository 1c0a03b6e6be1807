// deploy/pin-images.sh, with a program in Docker's place, which asks no registry.

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../kit/gateway.ts'
import { root } from './compose.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const files = ['compose.yaml', 'Dockerfile']
const pinned = /@sha256:[\da-f]{64}/g
const original = (name: string) => readFileSync(join(root, name), 'utf8')

let folder: ReturnType<typeof temporaryFolder>
const current = (name: string) => readFileSync(join(folder.path, name), 'utf8')
beforeEach(() => {
  folder = temporaryFolder()
  for (const name of [...files, 'deploy/pin-images.sh']) cpSync(join(root, name), join(folder.path, name))
})
afterEach(() => folder.remove())

/** Runs it while Docker does this. */
function pin(docker: string) {
  const bin = join(folder.path, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\n${docker}\n`)
  chmodSync(join(bin, 'docker'), 0o755)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  return spawnSync('sh', [join(folder.path, 'deploy/pin-images.sh')], { env, encoding: 'utf8' })
}

test('every digest becomes the one that its tag has now, and nothing else changes', () => {
  const { status, stdout } = pin(`echo "$@" >> '${folder.path}/asked'; echo ${digest}`)
  expect(status).toBe(0)
  for (const name of files) expect(current(name)).toBe(original(name).replace(pinned, `@${digest}`))
  const inspect = 'buildx imagetools inspect --format {{.Manifest.Digest}}'
  const tags = ['nginx:1.30', 'postgres:18', 'node:26-slim']
  expect(current('asked')).toBe(tags.map((tag) => `${inspect} ${tag}\n`).join(''))
  expect(stdout).toContain(`Dockerfile: node:26-slim@${digest}\n`)
})

test.each(['echo no such image >&2; exit 1', 'echo', 'echo "Digest: sha256:1"'])(
  '%s: nothing changes',
  (docker) => {
    expect(pin(docker).status).not.toBe(0)
    for (const name of files) expect(current(name)).toBe(original(name))
  },
)
