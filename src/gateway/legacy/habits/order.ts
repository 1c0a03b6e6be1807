import { setting } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import { type Order, ordersOfUsers } from './orders.ts'
import { tellOrderOfUsers } from './tell-order.ts'

/**
 * `id` is what `WHERE … IN` without `ORDER BY` gives, read from a primary key; a field is that of `ORDER BY`;
 * `name` is that of sorted keys, and `ksort` of PHP's own function for that, whose keys are numbers.
 */
export const order = habit({
  setting: setting(
    'LEGACY_ORDER',
    'asked',
    'asked, id, name, ksort, or one of Username, DisplayName, JoinDate, Rank; id and these may have desc after them, texts nocase or general_ci before that',
    "the order of entries: as asked for; by id, or by a field as ORDER BY has it, with those of the same by id, and those that match nothing after them; by name, as text or as PHP's ksort compares",
    (text): Order | undefined => ordersOfUsers.find((one) => one === text),
  ),
  effect: (_, { names, order: { setting: name, value } }) =>
    name === 'LEGACY_ORDER' ? effectOf(value, names) : null,
  tell: tellOrderOfUsers,
})

/** What an order did to the entries that have these names. */
export function effectOf(value: Order, names: readonly string[]): string | null {
  if (value === 'asked' || names.length < 2) return null
  if (value === 'ksort') return "Entries are in the order of their names as PHP's ksort() has it."
  const [field = '', ...words] = value.split(' ')
  const how = words.length === 0 ? '' : ` (${words.join(' ')})`
  return `Entries are in the order of their ${field === 'id' || field === 'name' ? `${field}s` : field}${how}.`
}
