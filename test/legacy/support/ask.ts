import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** One character for each byte, so that nothing is lost. */
  readonly body: string
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const agent = new Agent({ keepAlive: true })

/** Sends a request over a real socket, the target unchanged; `fetch` would encode raw UTF-8. */
export function ask(url: string, target: string, asking: RequestOptions = {}) {
  return askBytes(url, Buffer.from(target).toString('latin1'), asking)
}

/** Like `ask`, for a target that is no Unicode text: one character for each byte. */
export function askBytes(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body = '' }: RequestOptions = {},
) {
  const { hostname, port } = new URL(url)
  return new Promise<Reply>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('latin1')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    sent.on('error', reject).end(body)
  })
}

export type FormatName = 'JSON' | 'XML'

/** The target of a legacy query in a format. */
export function inFormat(query: string, format: FormatName): string {
  return format === 'XML' ? `/?${query}&Format=XML` : `/?${query}`
}

export const contentTypes = {
  JSON: 'application/json; charset=utf-8',
  XML: 'application/xml; charset=utf-8',
} as const
