/** Characters of an Accept header that are read. Browsers send some hundred. */
const MAX_ACCEPT_LENGTH = 1000

/** Whether an Accept header names HTML, and nothing a program would ask for at least as much. */
export function prefersHtml(accept: string | undefined): boolean {
  const read = accept?.slice(0, MAX_ACCEPT_LENGTH)
  if (read === undefined || !/text\/html/i.test(read)) return false
  let html = 0
  let data = 0
  for (const range of read.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2)) || 0
    if (type === 'text/html') html = Math.max(html, quality)
    if (type === 'application/json' || type === 'application/graphql-response+json')
      data = Math.max(data, quality)
  }
  return html > data
}
