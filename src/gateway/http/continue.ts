import type { IncomingMessage } from 'node:http'

/** As Node reads the header, before it emits `checkContinue`. */
const continueHeader = /(?:^|\W)100-continue(?:$|\W)/i

/** Whether a client waits to be told to go on (100) before it sends the body (RFC 9110, 10.1.1). */
export function expectsContinue({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor === 1 && continueHeader.test(headers.expect)
}
