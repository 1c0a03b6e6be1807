import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../cases/', import.meta.url)

/** The data the golden pairs are about. */
export const caseData = {
  users: new URL('users.jsonl', folder).pathname,
  apps: new URL('apps.jsonl', folder).pathname,
}

export interface Case {
  readonly name: string
  /** A request target. */
  readonly request: string
  /** One character a byte. */
  readonly response: string
}

export const cases: readonly Case[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    name,
    request: readFileSync(new URL(`${name}/request`, folder), 'utf8').replace(/\n$/, ''),
    response: readFileSync(new URL(`${name}/response`, folder), 'latin1'),
  }))

/**
 * The cases' queries that name no format, so that they can be asked in either. Raw UTF-8 in a target is about
 * how a request is read, which cases.test.ts settles; what is answered is the same as with percent-encoding.
 */
export const formatlessQueries: readonly string[] = cases
  .map(({ request }) => request.slice(request.indexOf('?') + 1))
  .filter((query) => !/(?:^|&)Fo|[\x80-\uffff]/.test(query))
