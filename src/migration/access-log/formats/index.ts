// The formats that are known by their lines. One that an operator describes is made by `pattern.ts`.

import { alb } from './alb.ts'
import { cloudfront } from './cloudfront.ts'
import { combined } from './combined.ts'
import { docker, kubernetes } from './docker.ts'
import type { LogFormat, OpenFormat } from './format.ts'
import { haproxy } from './haproxy.ts'
import { iis } from './iis.ts'
import { caddy, json, traefik } from './json.ts'
import { squid } from './squid.ts'
import { targets } from './target.ts'

/** Those first that are told more surely. */
export const formats: readonly LogFormat[] = [
  docker,
  kubernetes,
  caddy,
  traefik,
  json,
  cloudfront,
  iis,
  alb,
  haproxy,
  squid,
  combined,
  targets,
]

/** Lines by which a format is told. */
export const SAMPLE_LINES = 50

/** The format that most of the first lines are of; `null` where none is of a format that is known. */
export function recognise(lines: readonly string[]): OpenFormat | null {
  return recogniseAmong(formats, lines)
}

function recogniseAmong(known: readonly LogFormat[], lines: readonly string[]): OpenFormat | null {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES)
  let best: LogFormat | null = null
  let most = 0
  for (const format of known) {
    const found = sample.filter(format.recognises).length
    if (found > most) [best, most] = [format, found]
  }
  // What is in a container is no log of another container: that could go on for ever.
  const bare = known.filter((format) => format !== docker && format !== kubernetes)
  return best?.open(sample, (inner) => recogniseAmong(bare, inner)) ?? null
}
