import { createServer, type RequestListener } from 'node:http'
import { listenOn } from './proxy.ts'

export interface Answering {
  /** With a slash at its end. */
  readonly url: string
  /** The targets of the requests so far. */
  readonly asked: readonly string[]
  readonly close: () => void
}

/** A service of a test's own, on a free port by default. */
export async function startAnswering(answer: RequestListener, wanted = 0): Promise<Answering> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  return {
    url: `http://127.0.0.1:${await listenOn(server, wanted)}/`,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A user as a legacy response has one. */
export const userOf = (id: string) => ({
  Id: Number(id),
  Username: `u${id}`,
  DisplayName: '',
  Rank: 0,
  JoinDate: 0,
  IsConfirmed: true,
  Banned: false,
})
