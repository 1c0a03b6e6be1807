// The formats that are known by their lines. One that an operator describes is made by `pattern.ts`.

import { alb } from './alb.ts'
import { combined, targets } from './combined.ts'
import { docker, journal, kubernetes } from './docker.ts'
import { isUnread, type LogFormat, type OpenFormat } from './format.ts'
import { haproxy } from './haproxy.ts'
import { caddy, json, traefik } from './json.ts'
import { cloudfront, iis } from './w3c.ts'

/** Those first that are told more surely. */
export const formats: readonly LogFormat[] = [
  docker,
  kubernetes,
  journal,
  caddy,
  traefik,
  json,
  cloudfront,
  iis,
  alb,
  haproxy,
  combined,
  targets,
]

/** Lines by which a format is told. */
export const SAMPLE_LINES = 50

interface Recognised extends OpenFormat {
  /** Whether it can read any of the lines by which it was recognised. */
  readonly readsSample: boolean
}

/** The format that most of the first lines are of; `null` where none is of a format that is known. */
export function recognise(lines: readonly string[]): Recognised | null {
  return recogniseAmong(formats, lines)
}

function recogniseAmong(known: readonly LogFormat[], lines: readonly string[]): Recognised | null {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES)
  // What is in a container is no log of another container: that could go on for ever.
  const bare = known.filter((format) => ![docker, kubernetes, journal].includes(format))
  const open = (format: LogFormat) => format.open(sample, (inner) => recogniseAmong(bare, inner))
  const found = known
    .map((format) => ({ format, lines: sample.filter(format.recognises).length }))
    .filter(({ lines }) => lines > 0)
    .toSorted((a, b) => b.lines - a.lines)
  // Lines of other programs may look like a format, and say nothing in it.
  const readers = found.filter(({ format }) => {
    const { read } = open(format)
    return sample.some((line) => !isUnread(read(line)))
  })
  const best = readers[0] ?? found[0]
  return best === undefined ? null : { ...open(best.format), readsSample: readers.length > 0 }
}
