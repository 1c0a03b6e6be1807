// compose.yaml, read as Docker Compose reads it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export interface Service {
  readonly image?: string
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly networks?: readonly string[]
  readonly deploy?: { readonly resources?: { readonly limits?: Readonly<Record<string, string | number>> } }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const file = join(root, 'compose.yaml')
export const text = readFileSync(file, 'utf8')
export const passwords = {
  POSTGRES_PASSWORD: 'a1',
  OWNER_PASSWORD: 'b2',
  READER_PASSWORD: 'c3',
  REPLICATION_PASSWORD: 'd4',
}

/** What Docker makes of `${NAME:?why}`; nothing else with a dollar is known here. */
export function interpolate(values: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$(?:\{(\w+):\?([^}]+)\}|.?)/g, (whole, name: string | undefined, why: string) => {
    if (name === undefined) throw new Error(`${whole} is not known here`)
    const value = values[name]
    if (value === undefined) throw new Error(`${name}: ${why}`)
    return value
  })
}

export const { services, networks, volumes }: Compose = parse(interpolate(passwords), { merge: true })
