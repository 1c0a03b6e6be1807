// The state file of a copy: its progress, the rows that were copied, and the ids that were skipped. A copy
// that was interrupted resumes from it, and imports only once all ids are done.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { stringOf } from '../../text.ts'
import { openProgressFile, removeProgressFile } from '../progress-file.ts'
import type { IdRanges } from './id-ranges.ts'

/** Numbers of ids so far. */
export interface CopyPosition {
  readonly done: number
  readonly rows: number
  readonly skipped: number
  /** The highest id that was found; 0 if none was. */
  readonly highest: number
}

/** The state of a copy that no other process may work on. */
export type CopyState = ReturnType<typeof openCopy>

/** Raise it if the meaning of the file changes: a copy in progress then has to start again. */
const VERSION = 2
const START: CopyPosition = { done: 0, rows: 0, skipped: 0, highest: 0 }

/** Resumes an earlier copy, or begins one. @throws ProgressFileError */
export function openCopy(path: string, name: 'users' | 'apps', url: string, ids: IdRanges) {
  const identity = JSON.stringify([VERSION, name, url, ids])
  const progressFile = openProgressFile(path, identity, 'another import')
  const { database, read, write, together } = progressFile
  database.exec('CREATE TABLE IF NOT EXISTS copied (rows TEXT NOT NULL, skipped TEXT NOT NULL)')
  const saved = read('position')
  const position: CopyPosition = saved === undefined ? START : JSON.parse(saved)

  function writeLines(column: 'rows' | 'skipped', file: string): void {
    const descriptor = openSync(file, 'w')
    for (const row of database.prepare(`SELECT ${column} FROM copied ORDER BY rowid`).iterate())
      writeSync(descriptor, stringOf(row[column]))
    closeSync(descriptor)
  }

  return {
    /** When the file was opened. */
    position,
    isUnbegun: () => read('position') === undefined,
    /** @param rows lines of the import file @param skipped lines of the file of skipped ids */
    save: (position: CopyPosition, rows: string, skipped: string) =>
      together(() => {
        database.prepare('INSERT INTO copied VALUES (?, ?)').run(rows, skipped)
        write('position', JSON.stringify(position))
      }),
    /** Writes the rows and the skipped ids into files, as long as `use` needs them. */
    withFiles: async (use: (rows: string, skipped: string) => Promise<void>) => {
      const folder = mkdtempSync(`${path}-`)
      try {
        const [rows, skipped] = [join(folder, 'rows.jsonl'), join(folder, 'skipped.jsonl')]
        writeLines('rows', rows)
        writeLines('skipped', skipped)
        await use(rows, skipped)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    close: () => database.close(),
    remove: () => {
      database.close()
      removeProgressFile(path)
    },
  }
}
