/** The headers of every GraphQL answer. Any site may read, and none may send its user's credentials. */
export const answered: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'X-Content-Type-Options',
  'nosniff',
]
