import { readFileSync } from 'node:fs'

/** The rows of a file with one JSON value a line. */
export const readLines = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
