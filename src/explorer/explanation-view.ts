import { copyButton } from './copy.ts'
import { byId, element, rows } from './elements.ts'
import type { Explained } from './gateway.ts'
import { visible } from './token.ts'

/** Shows what a legacy request became: on the left. */
export function showExplanation(explained: Explained, graphiql: boolean): void {
  byId('became', HTMLElement).replaceChildren(
    parsedRequest(explained),
    ...operation(explained, graphiql),
    ...dialect(explained),
    timings(explained),
  )
}

function parsedRequest({ request, answer, error }: Explained): HTMLElement {
  const list = (values: readonly string[]) => element('code', {}, values.map(visible).join('\u2002') || '–')
  const given = request.parameters.map(({ name, value, known }) =>
    known ? `${name} = ${value}` : `${name} = ${value} (ignored)`,
  )
  return rows([
    ['Event', request.event ?? 'none'],
    ['Format', request.format],
    ['Parameters', element('code', { class: 'lines' }, given.map(visible).join('\n') || '–')],
    ['Values', list(request.values)],
    ...(error === null
      ? ([
          ['Found', `${answer.found} of ${request.values.length}`],
          ...(answer.missing.length > 0 ? [['Match nothing', list(answer.missing)] as const] : []),
        ] as const)
      : ([['Refused', `${error.code}: ${error.message}`]] as const)),
  ])
}

function operation({ operation }: Explained, graphiql: boolean): Node[] {
  if (operation === null) return [element('p', {}, 'It is refused before it becomes a GraphQL operation.')]
  const variables = JSON.stringify(operation.variables, null, 2)
  const query = element('pre', { tabindex: '0', 'aria-label': 'GraphQL operation' }, operation.query)
  const shown = element('pre', { tabindex: '0', 'aria-label': 'Variables' }, visibleLines(variables))
  const address = `graphql?${new URLSearchParams({ query: operation.query, variables })}`
  const link = graphiql ? [element('a', { href: address }, 'Open in GraphiQL')] : []
  return [
    element('h3', {}, 'GraphQL operation'),
    query,
    element('h3', {}, 'Variables'),
    shown,
    element('p', { class: 'actions' }, copyButton('operation', operation.query, query), ...link),
  ]
}

function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

function dialect({ dialect: applied }: Explained): Node[] {
  if (applied.length === 0) return []
  return [
    element('h3', {}, 'Settings that applied'),
    rows(
      applied.map(({ setting, value, effect }) => [
        setting,
        element('span', {}, element('code', {}, value), ` ${effect}`),
      ]),
    ),
  ]
}

function timings({ timings: { parse, execute, write } }: Explained): HTMLElement {
  const milliseconds = (time: number) => `${time.toFixed(2)} ms`
  const text = `Read in ${milliseconds(parse)}, executed in ${milliseconds(execute)}, written in ${milliseconds(write)}.`
  return element('p', { class: 'faint' }, text)
}
