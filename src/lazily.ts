/** Makes something when it is first asked for, once; where that fails, the next caller tries again. */
export function lazily<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let making: Promise<Made> | null = null
  return () =>
    (making ??= make().catch((error: unknown) => {
      making = null
      throw error
    }))
}
