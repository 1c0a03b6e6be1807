// As much of the mapping language of Apollo Connectors as examples/connectors uses. Apollo's own is part of
// its router, a binary. What is not known here is an error.

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** `Event: $("ProfileLookup")` and `Users: $args.ids->joinNotNull(":")`, a line each. */
export function queryOf(text: string, ids: readonly string[]): URLSearchParams {
  const query = new URLSearchParams()
  for (const line of linesOf(text)) {
    const [, name, literal, separator] =
      /^(\w+): (?:\$\("(\w+)"\)|\$(?:args\.ids|batch\.id)->joinNotNull\("(.)"\))$/.exec(line) ?? []
    if (name === undefined) throw new Error(`not known here: ${line}`)
    query.append(name, literal ?? ids.join(separator))
  }
  return query
}

/** `$->entries.value { name: Path … }`, or that without `.value`: an object for each member. */
export function mapped(selection: string, response: { readonly [name: string]: Json }): unknown[] {
  const [first, ...lines] = linesOf(selection)
  const last = lines.pop()
  const [, step] = /^\$->entries(\.value)? \{$/.exec(first ?? '') ?? [undefined, null]
  if (step === null || last !== '}') throw new Error(`not known here: ${selection}`)
  const fields = lines.map((line) => {
    const [, name, path] = /^(\w+): ([\w.]+)$/.exec(line) ?? []
    if (name === undefined || path === undefined) throw new Error(`not known here: ${line}`)
    return [name, path.split('.')] as const
  })
  return Object.entries(response).map(([key, value]) => {
    const from: Json = step === undefined ? { key, value } : value
    return Object.fromEntries(fields.map(([name, path]) => [name, path.reduce<Json>(memberOf, from)]))
  })
}

function memberOf(value: Json, name: string): Json {
  const members: Readonly<Record<string, Json>> = Object(value)
  const member = members[name]
  if (member === undefined) throw new Error(`no ${name} in ${JSON.stringify(value)}`)
  return member
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
