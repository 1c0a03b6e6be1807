/** A fault of an operator's database. */
export interface Finding {
  readonly what: string
  /** A row, a plan or a right that shows the fault. */
  readonly example: string
  /** The statement or the expression that mends the fault. */
  readonly mend: string
}
