import { readFileSync } from 'node:fs'
import { type Answer, etagOf } from '../answer.ts'
import { pageHeaders } from './headers.ts'

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
  const html = template.replace('"EVENTS"', () => data).replace('<!-- GRAPHIQL -->', link)
  const body = Buffer.from(html)
  const about = { event: 'page', format: 'HTML', outcome: 'ok', values: 0 } as const
  return { status: 200, headers: pageHeaders(html), body, etag: etagOf(body), about }
}
