import { readFileSync } from 'node:fs'
import { type Answer, etagOf } from '../answer.ts'

/** What the page shows of an event; the declarations under legacy/events have it all. */
interface ShownEvent {
  readonly name: string
  readonly description: string
  readonly parameters: readonly {
    readonly name: string
    readonly required: boolean
    readonly description: string
    readonly allowed?: readonly string[]
    readonly example: string
  }[]
  readonly fields: readonly { readonly name: string; readonly type: string; readonly description: string }[]
}

// Everything is in the page itself; it may talk to its own gateway and to nobody else.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page at `/` on which a person tries the legacy interface, built from the events' own declarations. */
export function explorerPage(events: readonly ShownEvent[], graphiql: boolean): () => Answer {
  let page: Answer | null = null
  return () => (page ??= render(events, graphiql))
}

function render(events: readonly ShownEvent[], graphiql: boolean): Answer {
  const template = readFileSync(new URL('./explorer.html', import.meta.url), 'utf8')
  const shown = events.map(({ name, description, parameters, fields }) => ({
    name,
    description,
    parameters,
    fields,
  }))
  const data = JSON.stringify(shown).replaceAll('<', '\\u003c')
  const link = graphiql ? ' <a href="/graphql">GraphiQL</a> asks the schema itself.' : ''
  const body = Buffer.from(template.replace('"EVENTS"', () => data).replace('<!-- GRAPHIQL -->', link))
  const headers = ['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-cache', 'Vary', 'Accept']
  headers.push('Content-Security-Policy', policy, 'X-Content-Type-Options', 'nosniff')
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers, body, etag: etagOf(body), about }
}
