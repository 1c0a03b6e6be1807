import { readLines } from './lines.ts'

const folder = new URL('../../cases/', import.meta.url)

/** The data of the cases. */
export const caseData = {
  users: new URL('users.jsonl', folder).pathname,
  apps: new URL('apps.jsonl', folder).pathname,
}

export interface Case {
  readonly name: string
  /** A request target. */
  readonly request: string
  /** The body; it is ASCII. */
  readonly response: string
}

/** Requests with the bytes of PHP: `php test/php/generate.php` writes the responses. */
export const caseFile = new URL('cases.jsonl', folder).pathname
export const cases: readonly Case[] = readLines<Case & { readonly xml?: string }>(caseFile).flatMap(
  ({ name, request, response, xml }) => [
    { name, request, response },
    ...(xml === undefined ? [] : [{ name: `${name}, XML`, request: `${request}&Format=XML`, response: xml }]),
  ],
)

/** The queries of the cases that name no format. */
export const formatlessQueries: readonly string[] = cases
  .map(({ request }) => request.slice(request.indexOf('?') + 1))
  .filter((query) => !/(?:^|&)Fo|[\x80-\uffff]/.test(query))
