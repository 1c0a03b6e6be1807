import { copyButton } from './copy.ts'
import { byId, element, type Row, rows } from './elements.ts'
import { count, fold } from './fold.ts'
import type { Explained } from './gateway.ts'
import { beginning, visibleLines } from './token.ts'

/** A gateway refuses addresses beyond 64 KiB. */
const MAX_LINK_LENGTH = 60_000
/** Of the rest, the buttons of `fold` show more. */
const FIRST_VALUES = 20
const FIRST_LINES = 20

/** Shows the GraphQL operation of a legacy request, and how the request was read. */
export function showExplanation(explained: Explained, graphiql: boolean): void {
  byId('became', HTMLElement).replaceChildren(
    ...operation(explained, graphiql),
    element('h3', {}, 'Request as parsed'),
    parsedRequest(explained),
    ...dialect(explained),
    timings(explained),
  )
}

function parsedRequest({ request, answer, error }: Explained): HTMLElement {
  const given = request.parameters.map(({ name, value, known }) => {
    return `${beginning(name)} = ${beginning(value)}${known ? '' : ' (ignored)'}`
  })
  const outcome: readonly Row[] =
    error === null
      ? [
          ['Found', `${count(answer.found)} of ${count(request.values.length)}`],
          ...(answer.missing.length > 0 ? [['Not found', values(answer.missing)] as const] : []),
        ]
      : [['Error', beginning(`${error.code}: ${error.message}`)]]
  return rows([
    ['Event', request.event ?? 'none'],
    ['Format', request.format],
    ['Parameters', element('code', { class: 'lines' }, given.join('\n') || '–')],
    ['Values', request.values.length === 0 ? '–' : values(request.values)],
    ...outcome,
  ])
}

function values(texts: readonly string[]): HTMLElement {
  const list = element('span', { class: 'values' })
  const more = fold(list, {
    items: texts,
    noun: 'values',
    first: FIRST_VALUES,
    show: (text) => element('code', {}, beginning(text)),
  })
  return element('div', {}, list, ...more)
}

function operation({ operation }: Explained, graphiql: boolean): Node[] {
  if (operation === null) return [element('p', {}, 'None: the request was rejected first.')]
  const variables = JSON.stringify(operation.variables, null, 2)
  const query = element(
    'pre',
    { tabindex: '0', role: 'group', 'aria-label': 'GraphQL query' },
    operation.query,
  )
  const shown = element('pre', { tabindex: '0', role: 'group', 'aria-label': 'Variables' })
  const more = fold(shown, {
    items: visibleLines(variables).split('\n'),
    noun: 'lines',
    first: FIRST_LINES,
    show: (line) => document.createTextNode(shown.firstChild === null ? line : `\n${line}`),
  })
  const copying = [copyButton('query', operation.query, query), copyButton('variables', variables, shown)]
  const link = graphiql ? [graphiqlLink(operation)] : []
  return [
    query,
    element('h3', {}, 'Variables'),
    shown,
    element('p', { class: 'actions' }, ...more, ...copying, ...link),
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
        element('span', {}, element('code', {}, beginning(value)), ` ${effect}`),
      ]),
      'settings',
    ),
  ]
}

function timings({ timings: { parse, execute, write } }: Explained): HTMLElement {
  const milliseconds = (time: number) => `${time.toFixed(2)} ms`
  const text = `Parsed in ${milliseconds(parse)}, executed in ${milliseconds(execute)}, written in ${milliseconds(write)}.`
  return element('p', { class: 'faint' }, text)
}
