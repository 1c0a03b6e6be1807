// What the page for operators shows of leaving an old service.

import type { Config } from '../config.ts'
import type { CountsOf } from '../counts.ts'
import type { PagePart } from '../pages/part.ts'
import { createCensusPart } from './census/live/part.ts'
import { shadowPart } from './shadow/part.ts'

export type Parts = (config: Config, counts: CountsOf) => readonly PagePart[]

export function createParts(): Parts {
  const censusPart = createCensusPart()
  return (config, counts) => [
    { title: 'Compared with the old service', body: () => shadowPart(config, counts) },
    { title: 'Who is left', body: () => censusPart(config.census.file) },
  ]
}
