// A client in a page with jQuery: it takes cases, and says what each makes of its answer.

/** What `$.get` calls: success with what it made of the answer, or error. */
// biome-ignore lint/correctness/noUnusedVariables: the cases call it
const get = (url, settings = {}) =>
  new Promise((resolve) => {
    $.ajax({
      url,
      ...settings,
      success: (data) => resolve(data instanceof Document ? `XML ${data.documentElement.textContent}` : data),
      error: (request, what) => resolve(`error: ${what} ${request.status}`),
    })
  })

/** How often the service was asked, if the page asks twice. */
// biome-ignore lint/correctness/noUnusedVariables: the cases call it
async function timesAsked(url) {
  await $.get(url)
  const request = $.get(url)
  await request
  return request.getResponseHeader('X-Times')
}

// biome-ignore lint/correctness/noUnusedVariables: the test calls it
async function clientOf(cases) {
  const results = []
  for (const { code, answer, url } of cases) {
    try {
      const read = new Function('answer', 'url', `return ${code}`)
      results.push(String(JSON.stringify(await read(answer, url))))
    } catch (error) {
      results.push(`throws ${error.name ?? error}`)
    }
  }
  return results
}
