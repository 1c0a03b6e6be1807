/** Works through all items, so many at a time. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  clients: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]()
  const client = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: clients }, client))
}
