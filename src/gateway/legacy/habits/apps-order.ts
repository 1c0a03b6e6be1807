import { optional } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { effectOf } from './order.ts'
import { type Order, orderOfApps, ordersOfApps } from './orders.ts'
import { tellOrderOfApps, tellOrderOfUsers } from './tell-order.ts'

/** Apps have statements of their own, and so another `ORDER BY`. */
export const appsOrder = habit({
  setting: optional(
    'LEGACY_APPS_ORDER',
    'asked, id, name, or one of Title, Category, Version; id and these may have desc after them, texts nocase or general_ci before that',
    'the order of apps; unset: as LEGACY_ORDER has it, by id where that is a field of users',
    (text): Order | undefined => ordersOfApps.find((one) => one === text),
  ),
  effect: (_, { names, order: { setting: name, value } }) =>
    name === 'LEGACY_APPS_ORDER' ? effectOf(value, names) : null,
  tell: async (probing) => {
    const told = await tellOrderOfApps(probing)
    const unset = orderOfApps((await tellOrderOfUsers(probing)) ?? 'asked', null)
    // Apps are named by their ids.
    return told === (unset === 'ksort' ? 'id' : unset) ? null : told
  },
})
