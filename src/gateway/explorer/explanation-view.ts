import { copyButton } from './copy.ts'
import { byId, element, rows } from './elements.ts'
import type { Explained } from './gateway.ts'
import { visible, visibleLines } from './token.ts'

/** A gateway refuses addresses beyond 64 KiB. */
const MAX_LINK_LENGTH = 60_000

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
  const list = (values: readonly string[]) =>
    element('span', { class: 'values' }, ...values.map((value) => element('code', {}, visible(value))))
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
      : ([['Refused', visible(`${error.code}: ${error.message}`)]] as const)),
  ])
}

function operation({ operation }: Explained, graphiql: boolean): Node[] {
  if (operation === null) return [element('p', {}, 'It is refused before it becomes a GraphQL operation.')]
  const variables = JSON.stringify(operation.variables, null, 2)
  const query = element('pre', { tabindex: '0', 'aria-label': 'GraphQL operation' }, operation.query)
  const shown = element('pre', { tabindex: '0', 'aria-label': 'Variables' }, visibleLines(variables))
  const link = graphiql ? [graphiqlLink(operation)] : []
  return [
    element('h3', {}, 'GraphQL operation'),
    query,
    element('h3', {}, 'Variables'),
    shown,
    element('p', { class: 'actions' }, copyButton('operation', operation.query, query), ...link),
  ]
}

function graphiqlLink({ query, variables }: NonNullable<Explained['operation']>): HTMLElement {
  const address = (space: number) =>
    `graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables, null, space) })}`
  const href = address(2).length > MAX_LINK_LENGTH ? address(0) : address(2)
  return href.length > MAX_LINK_LENGTH
    ? element('span', { class: 'faint' }, 'Too long for a link to GraphiQL.')
    : element('a', { href }, 'Open in GraphiQL')
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
