import type { ServerResponse } from 'node:http'

/**
 * Tells a client that expects it to go on and send its body (100), and then answers. Where others are to be answered
 * first, all this waits for them: Node would put the 100 between the headers and the body of an answer made meanwhile.
 */
export function continueInTurn(response: ServerResponse, answer: () => void): void {
  const proceed = () => {
    response.writeContinue()
    answer()
  }
  if (response.socket !== null) proceed()
  else response.once('socket', () => setImmediate(proceed))
}
