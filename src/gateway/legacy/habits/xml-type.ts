import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { questions } from './questions.ts'

const token = '[\\w!#$&^.+-]{1,64}'
const pattern = new RegExp(`^${token}/${token}(?:; ?${token}=(?:${token}|"[\\w.: -]{1,64}"))?$`)

const row = setting(
  'LEGACY_XML_TYPE',
  'application/xml; charset=utf-8',
  'a media type such as text/xml; charset=utf-8',
  'Content-Type of XML',
  (text) => (pattern.test(text) ? text : undefined),
)

/**
 * Browsers and jQuery read an answer by it, and PHP sends text/html where a script does not say otherwise.
 */
export const xmlType = habit({
  setting: row,
  effect: (value, { format }) => (format === 'JSON' ? null : `The Content-Type of XML is ${value}.`),
  tell: async ({ ask, ids: [id = ''] }) => {
    const heard = await ask(questions.inXml(questions.byId([id])))
    const type = heard?.entries == null ? undefined : heard.headers['content-type']
    return typeof type === 'string' ? (row.parse(type) ?? null) : null
  },
})
