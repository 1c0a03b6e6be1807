// Drives the libraries that write JSON and XML as old services do: PHP's and Python's.

import { createModel } from '../../differential/model.ts'
import type { Rows } from '../../differential/rows.ts'
import type { ByteRow, Lookup, Writer } from './bytes.ts'
import { runPhp, runPython } from './programs.ts'

/** A lookup, and the library that writes the response. */
export type Task = Lookup & Writer & Pick<ByteRow, 'dialect'>

const writeInPython = (input: string) => runPython('write.py', input)
const programs: Readonly<Record<string, (input: string) => string>> = {
  json_encode: (input) => runPhp('write-json.php', [], input),
  'json.dumps': writeInPython,
  ElementTree: writeInPython,
  minidom: writeInPython,
}
const writeXml = (input: string) => runPhp('write-xml.php', [], input)

/** Habits of json_encode that a row does not name. */
const usual = {
  ...{ unknown: 'null', empty: '{}', numbers: 'number', textEscapes: 'none', booleans: 'boolean' },
  ...{ flags: [], text: 'Not found' },
}

/** @returns the body for each task, over these rows of data */
export function write(tasks: readonly Task[], data: Rows): string[] {
  const model = createModel(data, { isLenient: true, showsUnknown: true, serviceName: 'Service' })
  const bodies: string[] = []
  const groups = Map.groupBy([...tasks.entries()], ([, { by = '' }]) => programs[by] ?? writeXml)
  for (const [run, group] of groups) {
    const input = group.map(([, { by = '', how, dialect, ...lookup }]) => {
      const { users, ids, apps = [] } = lookup
      const question = {
        kind: users ? 'USERNAME' : ids ? 'ID' : 'APP',
        values: users ?? ids ?? apps,
      } as const
      const found = model.legacy(question)
      const facts = 'facts' in found ? found.facts : []
      const isShown = 'missing' in dialect
      const answer = facts.filter(([value]) => isShown || model.find(question.kind, value) !== null)
      return [by, by === 'json_encode' ? { ...usual, ...how, ...shapeOf(lookup) } : (how ?? {}), answer]
    })
    const texts: string[] = JSON.parse(run(JSON.stringify(input)))
    for (const [at, [index]] of group.entries())
      bodies[index] = Buffer.from(texts[at] ?? '', 'base64').toString()
  }
  return bodies
}

const types = {
  user: {
    ...{ Id: 'integer', Username: 'string', DisplayName: 'string', Rank: 'integer', JoinDate: 'integer' },
    ...{ IsConfirmed: 'boolean', Banned: 'boolean' },
  },
  app: {
    ...{ Title: 'string', Version: 'string', Category: 'integer', ChangelogLink: 'string' },
    ServiceDownloadLink: 'string',
  },
}

/** The fields of an entry that is missing. */
function shapeOf({ apps }: Lookup) {
  const shape = types[apps === undefined ? 'user' : 'app']
  return { fields: Object.keys(shape), types: shape }
}
