// What the processes of this test have in common: their arguments, and how each says where it listens.

/** The subgraphs that a router composes: arguments NAME=URL. */
export const subgraphs = process.argv.slice(2).map((argument) => {
  const [name, url] = argument.split('=')
  return { name, url }
})

/** Listens on a free port, and writes the address on stdout. */
export function serve(server) {
  server.listen(0, '127.0.0.1', () => say(`http://127.0.0.1:${server.address().port}/graphql`))
}

export const say = (url) => process.stdout.write(`${url}\n`)
