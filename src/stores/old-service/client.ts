// One old service, asked over HTTP: a bounded number of calls at a time, each with an end.

import type { OldServiceLocation } from '../../settings.ts'

/** Bytes of an answer. A thousand users with long names are a tenth of this. */
const MOST = 8 * 1024 * 1024

/** Asks for a query string; the body of the answer. @throws OldServiceError whatever else happens */
export type AskOldService = (query: string) => Promise<string>

/** An old service cannot answer, or not as the interface has it. The message is for the log, and holds no data. */
export class OldServiceError extends Error {}

export function createClient({ url, connections, timeout }: OldServiceLocation): AskOldService {
  const waiting: (() => void)[] = []
  let busy = 0

  async function ask(query: string): Promise<string> {
    if (busy >= connections) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy++
    try {
      return await call(`${url}?${query}`, timeout)
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift()
      if (next === undefined) busy--
      else next()
    }
  }
  return ask
}

async function call(address: string, timeout: number): Promise<string> {
  const signal = AbortSignal.timeout(timeout)
  let response: Response
  try {
    // Wherever it might lead: the data is asked for here, and nowhere else.
    response = await fetch(address, { signal, redirect: 'manual', headers: { Accept: 'application/json' } })
  } catch (error) {
    throw new OldServiceError(`the old service cannot be reached: ${reasonOf(error)}`)
  }
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new OldServiceError(`the old service answers with status ${response.status}`)
  }
  try {
    return await readText(response)
  } catch (error) {
    if (error instanceof OldServiceError) throw error
    throw new OldServiceError(`the old service broke off: ${reasonOf(error)}`)
  }
}

/** @throws TypeError for what is no UTF-8, which would otherwise be patched over */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MOST) throw new OldServiceError(`the old service answers with more than ${MOST} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** fetch says little itself, and keeps why in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
