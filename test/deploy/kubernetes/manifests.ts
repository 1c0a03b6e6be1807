// deploy/kubernetes, and what the published schemas say about it.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from './shapes.ts'

export const here = fileURLToPath(new URL('.', import.meta.url))
export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const manifestsIn = join(root, 'deploy/kubernetes')

/** The objects of a file, as their shapes have them; nothing is checked. */
export function read<Objects extends readonly unknown[]>(file: string): Objects {
  const objects: unknown = parseAllDocuments(readFileSync(join(manifestsIn, file), 'utf8')).map(
    (document) => {
      const [error] = document.errors
      if (error !== undefined) throw error
      return document.toJS({ maxAliasCount: 10 })
    },
  )
  return objects as Objects // what the schemas are asked about
}

/** Types, formats, patterns and what is required, by the schemas. They let unknown keys pass. */
export function complaints(objects: readonly unknown[]): (string | null)[] {
  const args = [join(here, 'validate.js')]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    input: JSON.stringify(objects),
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Where the types of the same schemas are. */
const types: Readonly<Record<string, string>> = {
  Deployment: 'kubernetes-models/apps/v1',
  HorizontalPodAutoscaler: 'kubernetes-models/autoscaling/v2',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1',
  PodDisruptionBudget: 'kubernetes-models/policy/v1',
  Service: 'kubernetes-models/v1',
  ServiceMonitor: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
}

/** Unknown keys and words that are none of those allowed: each object as a typed constant, checked by tsc. */
export function typeErrors<Object extends Pick<Manifest, 'kind'>>(objects: readonly Object[]): string {
  // Beside node_modules, where tsc looks for the types.
  const folder = mkdtempSync(join(here, 'node_modules/.typed-'))
  try {
    const constants = objects.map(
      (object, at) =>
        `import type { I${object.kind} as T${at} } from '${types[object.kind]}'\n` +
        `export const object${at}: T${at} = ${JSON.stringify(object, null, 1)}\n`,
    )
    writeFileSync(join(folder, 'typed.ts'), constants.join(''))
    const flags = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'esnext', '--target', 'esnext']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const args = [tsc, ...flags, '--moduleResolution', 'bundler', '--ignoreConfig', join(folder, 'typed.ts')]
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}
