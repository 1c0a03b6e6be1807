// What a test knows of a forum program: its own tables, and how it stores a person.

export interface Person {
  readonly id: number
  readonly name: string
  /** The name that is shown, if the program has one besides the username. */
  readonly display: string
  /** Seconds since 1970. */
  readonly joined: number
  readonly group: number
  readonly isConfirmed: boolean
  /** null for none; 0 for a ban without an end; or its end. */
  readonly ban: number | null
  readonly chat: string | null
}

export interface TestForum {
  /** On the command line. */
  readonly program: string
  readonly prefix: string
  readonly chat: string
  /** Its CREATE TABLE statements, and rows that each installation has. */
  readonly tables: readonly string[]
  /** Rows of each table for a person, as VALUES. */
  readonly rows: (person: Person) => Readonly<Record<string, string>>
  /** Persons who are not users, as rows of tables. */
  readonly hidden: Readonly<Record<string, readonly string[]>>
  /** What the program does not have. */
  readonly lacks?: readonly ('display' | 'ban end' | 'group')[]
  /** The column of a username, and how many characters it may have. */
  readonly name: readonly [table: string, column: string, length: number]
  /** An INSERT of a user with this name, as the program sends it; the id is 900,000. */
  readonly insert: (name: string) => string
}

/** A text of SQL. */
export const q = (text: string | null) => (text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`)

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A text in which all characters beyond the last one of a charset are numbers. */
export const numbered = (text: string, last: number) =>
  Array.from(text, (sign) => ((sign.codePointAt(0) ?? 0) > last ? `&#${sign.codePointAt(0)};` : sign)).join(
    '',
  )

/** A time in UTC as a column has it. */
export const utc = (seconds: number) =>
  q(new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' '))
