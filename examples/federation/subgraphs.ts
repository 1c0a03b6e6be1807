// Where the subgraphs are: the gateway, and the posts.

export interface Subgraph {
  readonly name: string
  readonly url: string
}

export const subgraphs: readonly Subgraph[] = [
  { name: 'lookup', url: process.env.LOOKUP_URL ?? 'http://127.0.0.1:4000/graphql' },
  { name: 'posts', url: `http://127.0.0.1:${process.env.POSTS_PORT ?? 4010}/graphql` },
]
