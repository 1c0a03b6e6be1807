import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { fieldsIn } from './heard.ts'
import { questions } from './questions.ts'

/** Of the gateway's own: the legacy interface may not take their place. */
const own = /^\/(?:graphql|explain|live|ready|metrics|schema\/.*)$/
/** As it is sent: with letters beyond ASCII percent-encoded, and without what ends a path. */
const sent = /^\/(?:[\w.~!$&'()*+;=:@/-]|%[\dA-Fa-f]{2}){0,255}$/

const split = (text: string) => text.split(',').map((path) => path.trim())

const listed = {
  ...setting(
    'LEGACY_PATHS',
    '/',
    'paths such as /,/index.php,/api/ (exact, comma-separated)',
    'where legacy requests are answered',
    (text): readonly string[] | undefined => {
      const paths = split(text)
      return paths.every((path) => sent.test(path) && !own.test(path)) ? [...new Set(paths)] : undefined
    },
  ),
  explain: (text: string) => {
    const taken = split(text).find((path) => own.test(path))
    return taken === undefined ? 'a path begins with / and has no query' : `${taken} is the gateway's own`
  },
}

/** Clients have the address of a script in them, or a folder's, and not only that of a host. */
export const paths = habit({
  setting: listed,
  // Which of them a request came by makes no difference to its answer.
  effect: () => null,
  tell: async ({ ask, path, ids: [id = ''] }) => {
    const answered = [...new Set(['/', path])]
    for (const other of othersOf(path)) {
      const heard = await ask(questions.byId([id]), other)
      if (fieldsIn(heard?.entries?.get(id)) !== null) answered.push(other)
    }
    const told = answered.filter((one) => listed.parse(one) !== undefined)
    return told.join(',')
  },
})

/** What web servers usually take for the same as a path: the folder, and the script that stands for it. */
function othersOf(path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const others = [folder, `${folder}index.php`, ...(/\.\w+$|\/$/.test(path) ? [] : [`${path}/`])]
  return others.filter((other) => other !== path && other !== '/')
}
