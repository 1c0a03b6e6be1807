// How a forum program has its tables, and how it stores a person.

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

/** Rows as VALUES, by the table and its columns. */
type TableRows = Readonly<Record<string, string>>

export interface TestForum {
  /** On the command line. */
  readonly program: string
  readonly chat: string
  /** Statements with semicolons between them: the columns that the views read, and the keys. */
  readonly tables: string
  readonly rows: (person: Person) => TableRows
  /** Rows that are no users, or that must not count. */
  readonly hidden: TableRows
  /** What the program does not have. */
  readonly lacks?: readonly ('display' | 'ban end' | 'group')[]
  /** The column of a username, and how many characters it may have. */
  readonly name: readonly [table: string, column: string, length: number]
  /** A user with this name, as the program inserts it; the id is 900,000. */
  readonly insert: (name: string) => TableRows
}

/** A row as VALUES. */
export const row = (...cells: readonly (string | number | boolean | null)[]) =>
  `(${cells.map((cell) => (typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell)))})`

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A text in which all characters beyond the last one of a charset are numbers. */
export const numbered = (text: string, last: number) =>
  text.replace(/./gsu, (sign) => ((sign.codePointAt(0) ?? 0) > last ? `&#${sign.codePointAt(0)};` : sign))

/** A time in UTC as a column has it. */
export const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
