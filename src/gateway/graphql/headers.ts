/** The headers of every GraphQL answer. Any site may read it, and none may send its user's credentials. */
export const answered: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'X-Request-Id, Retry-After',
  'X-Content-Type-Options',
  'nosniff',
]
