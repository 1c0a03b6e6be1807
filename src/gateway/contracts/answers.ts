import { lazily } from '../../lazily.ts'
import type { Dialect } from '../../settings.ts'
import { type Answer, etagOf } from '../answer.ts'
import { type ContractName, contracts } from './index.ts'

/** Answers with a contract, which is printed when it is first asked for. */
export function contractAnswer(name: ContractName, dialect: Dialect): () => Promise<Answer> {
  return lazily(() => print(name, dialect))
}

async function print(name: ContractName, dialect: Dialect): Promise<Answer> {
  const { printContract } = await import('./print.ts')
  const { contentType, format } = contracts[name]
  const body = Buffer.from(printContract(name, dialect))
  const headers = [
    'Content-Type',
    contentType,
    'Cache-Control',
    'no-cache',
    'X-Content-Type-Options',
    'nosniff',
  ]
  // Tools that run in other pages read it, too.
  headers.push('Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', 'ETag, X-Request-Id')
  const about = { event: 'contract', format, outcome: 'ok', values: 0 } as const
  return { status: 200, headers, body, etag: etagOf(body), about }
}
