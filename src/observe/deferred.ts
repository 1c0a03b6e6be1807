/** Milliseconds after the first item: a start, and the first answers, do not wait for what is loaded then. */
const LOAD_DELAY_MS = 100

export interface Deferred<Item> {
  readonly take: (item: Item) => void
  /** Loads now what takes the items, and gives it those that have waited. */
  readonly load: () => Promise<void>
}

/** Keeps items until what takes them has been loaded. */
export function deferred<Item>(make: () => Promise<(item: Item) => void>): Deferred<Item> {
  let waiting: Item[] = []
  let loading: Promise<void> | null = null
  let take = (item: Item): void => {
    if (waiting.length === 0) setTimeout(load, LOAD_DELAY_MS).unref()
    waiting.push(item)
  }

  function load(): Promise<void> {
    loading ??= make().then((made) => {
      take = made
      for (const item of waiting) made(item)
      waiting = []
    })
    return loading
  }

  return { take: (item) => take(item), load }
}
