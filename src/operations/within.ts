/** What a promise gives, or `undefined` where it gives nothing in time, or fails. */
export async function within<Value>(
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(late.resolve, milliseconds)
  try {
    return await Promise.race([promise.catch(() => undefined), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
