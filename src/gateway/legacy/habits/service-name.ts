import { matching } from '../../../setting-kinds.ts'
import { capitalised } from '../../../text.ts'
import { habit } from './habit.ts'
import { fieldsIn } from './heard.ts'
import { questions } from './questions.ts'

/** The specification writes `Service` for a real name. */
export const serviceName = habit({
  setting: matching(
    'LEGACY_SERVICE_NAME',
    'Service',
    'a name of letters, digits and _',
    'the name in the XML root (ServiceAPI) and in the last app field (ServiceDownloadLink)',
    /^[A-Za-z_]\w{0,63}$/,
  ),
  effect: (name, { format, namedFields }) => {
    const root = format === 'XML' ? [`the root element is ${name}API`] : []
    const effects = [...root, ...namedFields.map((field) => `a field is ${field}`)]
    return effects.length === 0 ? null : capitalised(`${effects.join(', and ')}.`)
  },
  tell: async ({ ask, ids: [id = ''], apps: [app] }) => {
    const user = await ask(questions.inXml(questions.byId([id])))
    const inRoot = user?.entries == null ? undefined : /^([A-Za-z_]\w{0,63})API$/.exec(user.root)?.[1]
    if (inRoot !== undefined || app === undefined) return inRoot ?? null
    const fields = fieldsIn((await ask(questions.apps([app])))?.entries?.get(app)) ?? []
    const names = fields.map(([field]) => /^([A-Za-z_]\w{0,63})DownloadLink$/.exec(field)?.[1])
    return names.find((name) => name !== undefined) ?? null
  },
})
