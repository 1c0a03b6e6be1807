/** Creates a value once, at the first call. After a failure, the next call tries again. */
export function lazily<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null
  return () =>
    (value ??= create().catch((error: unknown) => {
      value = null
      throw error
    }))
}
