// All cases of a client in one process: what it makes of each answer.

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { type Answering, startAnswering } from '../kit/answering.ts'
import { type Answer, answerOf, type Claims } from './claim.ts'

/** One answer, given to one expression. */
export interface Asked {
  readonly code: string
  /** The place of the expression among all that differ. */
  readonly read: number
  readonly answer: string
  readonly url: string
}

export type Client = (asked: readonly Asked[], origin: string) => Promise<readonly string[]>

/** @returns what the client made of each answer, by the sentence: two for each case */
export async function resultsOf(claims: Claims, client: Client): Promise<Map<string, string[]>> {
  const cases = Object.entries(claims).flatMap(([name, claim]) =>
    'cases' in claim
      ? claim.cases.flatMap(([code, was, is]) => [was, is].map(([given]) => ({ name, code, given })))
      : [],
  )
  const answers = cases.map(({ given }) => answerOf(given))
  const codes = [...new Set(cases.map(({ code }) => code))]
  const service = await serve(answers)
  try {
    const asked = cases.map(({ code }, at) => {
      const { body = '' } = answers[at] ?? {}
      const answer = typeof body === 'string' ? body : Buffer.from(body).toString()
      return { code, read: codes.indexOf(code), answer, url: `${service.url}${at}` }
    })
    const results = await client(asked, service.url)
    if (results.length !== cases.length) throw new Error(`${results.length} results of ${cases.length} cases`)
    const byName = new Map<string, string[]>()
    for (const [at, { name }] of cases.entries()) {
      const of = byName.get(name) ?? []
      byName.set(name, [...of, results[at] ?? ''])
    }
    return byName
  } finally {
    service.close()
  }
}

/** Each answer has its place as its address; a second request for it is marked, so that caches show. */
function serve(answers: readonly Answer[]): Promise<Answering> {
  const times = new Map<string, number>()
  return startAnswering((request, response) => {
    const [place = ''] = (request.url ?? '').slice(1).split('?')
    const answer = answers[Number(place)]
    if (place === '' || answer === undefined) {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A client</title>')
      return
    }
    const { status = 200, type = 'application/json', headers = {}, body, post = false } = answer
    times.set(place, (times.get(place) ?? 0) + 1)
    const refuses = request.method === 'POST' && !post
    response.writeHead(refuses ? 405 : status, {
      ...(type === '' ? {} : { 'Content-Type': type }),
      'X-Times': String(times.get(place)),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value.replace('ORIGIN', request.headers.origin ?? ''),
        ]),
      ),
    })
    response.end(request.method === 'HEAD' ? '' : body)
  })
}

/** Runs a program that takes cases on its standard input and prints results. */
export async function runProgram(
  command: string,
  args: readonly string[],
  input: unknown,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const child = spawn(command, args, { env: { ...process.env, ...environment } })
  child.stdin.on('error', () => {}) // it has ended: its status says so
  child.stdin.end(JSON.stringify(input))
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [status, printed, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${complaints || printed}`)
  return printed === '' ? [] : JSON.parse(printed)
}
