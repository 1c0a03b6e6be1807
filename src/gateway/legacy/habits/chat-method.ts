import { matching } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'

const setting = matching(
  'LEGACY_CHAT_METHOD',
  'chat',
  'a word other than id and username',
  'the method value that means the chat platform',
  /^(?!(?:id|username)$)[\w.-]{1,64}$/,
)

export const chatMethod = habit({
  setting,
  effect: (method, { choices, error }) =>
    error === null && choices.includes(method) ? 'This method means identifiers on the chat platform.' : null,
  // A word may be named that no setting can have.
  tell: async ({ chatMethod: method }) =>
    method !== null && setting.parse(method) !== undefined ? method : null,
})
