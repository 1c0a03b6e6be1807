// Looks at the page for operators, as a browser without scripts does.

import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { originOf } from '../kit/serving.ts'

export interface Looked {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

interface Options {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function look(
  { shown }: { readonly shown: Readonly<Record<string, string>> },
  { path = '/', method = 'GET', headers = {} }: Options = {},
): Promise<Looked> {
  const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  return new Promise((resolve, reject) => {
    request(
      originOf(shown.Operations),
      // As it is: a URL would be tidied up.
      { path, method, headers: { ...accept, ...headers } },
      async (response) =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: await text(response),
        }),
    )
      .on('error', reject)
      .end()
  })
}

/** What a person reads of a section, words apart by one blank; empty where there is none. */
export function sectionOf(html: string, title: string): string {
  const [, body = ''] = html.split(`<h2>${title}</h2>`)
  return plain(body.split('</section>')[0] ?? '')
}

/** The text of a page, without its style. */
export function plain(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
