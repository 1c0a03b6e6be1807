import type { Cell } from '../../src/data/fields.ts'
import type { Importer } from '../../src/stores/importer.ts'
import type { StagedRecord } from '../../src/stores/staging.ts'

export type Row = readonly Cell[]

/** A user as the columns have it; usernames and chat identifiers follow the id unless given. */
export const user = (id: number, username = `User ${id}`, chatId: string | null = `chat-${id}`): Cell[] => [
  ...[id, username, chatId, `Name ${id}`, id % 5, 1000 + id, 1, 0],
]
export const app = (id: number, title = `App ${id}`): Cell[] => [
  ...[id, title, '1.2.3', id % 3, 'https://apps.example/changelog', `https://apps.example/${id}/`],
]
export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A row of a file of which nobody wants to see the source. */
export const staged = (row: Row, index: number): StagedRecord => ({
  line: index + 1,
  cells: row,
  source: null,
})

/** Stages rows, none of which may clash. */
export async function stageValid(importer: Importer, rows: readonly Row[]): Promise<void> {
  await importer.stage(rows.map(staged))
  for await (const { problem } of importer.findProblems()) throw new Error(problem)
}

/**
 * Imports rows, and leaves those out that clash.
 * @returns for each row the complaint about it, or null
 */
export async function importInto(
  importer: Importer,
  rows: readonly Row[],
  together = Number.POSITIVE_INFINITY,
) {
  try {
    const records = rows.map(staged)
    for (let at = 0; at < rows.length; at += together) await importer.stage(records.slice(at, at + together))
    const complaints: (string | null)[] = rows.map(() => null)
    for await (const { line, problem } of importer.findProblems()) complaints[line - 1] = problem
    await importer.commit()
    return { complaints }
  } finally {
    await importer.close()
  }
}

/** Users of one version of the data set: the version is in every display name. */
export function csv(version: string, rows: number, from = 1): string {
  let text = 'id,username,displayName,rank,joinDate,isConfirmed,banned\n'
  for (let id = from; id < from + rows; id++)
    text += `${id},user ${id},version ${version},1,${id},true,false\n`
  return text
}
