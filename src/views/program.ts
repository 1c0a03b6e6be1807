// How a forum program stores its users: what programs.ts and sites.ts declare for each.

/** The names on the command line. They are apart from `programs.ts`, so that the help loads no program. */
export const names = [
  'phpbb',
  'mybb',
  'smf',
  'vbulletin',
  'xenforo',
  'wordpress',
  'flarum',
  'discourse',
  'drupal',
] as const
export type ProgramName = (typeof names)[number]

/** SQL in which `{users}` is the table `users` with its prefix; or other SQL if a column is there. */
export type Sql = string | { readonly if: string; readonly yes: string; readonly no: string }

export interface ForumProgram {
  readonly title: string
  readonly engine: 'mysql' | 'postgres'
  /** The prefix of tables that its installer suggests, if any. */
  readonly prefix?: string
  /** Which texts are stored with HTML entities. */
  readonly entities?: 'usernames and display names' | 'display names'
  readonly users: {
    readonly table: string
    /** Columns of the table. */
    readonly id: string
    readonly name: string
    /** Expressions. Without `display`, the program shows the name. */
    readonly display?: Sql
    readonly rank: Sql
    readonly joined: Sql
    readonly confirmed: Sql
    readonly banned: Sql
    /** Leaves out anonymous and deleted users. */
    readonly where: Sql
  }
  /** The tables that may have chat identifiers of a source. The first existing one is used. */
  readonly chats: (source: string) => readonly ChatPlace[]
  /** Without `table` in the database, there are no apps. `{url}` in `sql` is the value that `url` selects. */
  readonly apps?: { readonly table: string; readonly url: string; readonly sql: string }
  /** An index that the program lacks. */
  readonly index?: readonly [table: string, column: string]
}

/** A table with a row for each user, or for each user and source. */
export interface ChatPlace {
  readonly table: string
  /** The column with the id of the user. */
  readonly user: string
  /** The column with the chat identifier. */
  readonly value: string
  /** The values of other columns in these rows, such as the source if a user has a row for each source. */
  readonly match?: Readonly<Record<string, string>>
  /** If a user may have several such rows, the row with the least value of this column counts. */
  readonly order?: string
}
