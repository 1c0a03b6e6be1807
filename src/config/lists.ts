// Texts with several entries between commas.

import { shorten, visible } from '../text.ts'

export const splitList = (text: string) => text.split(',').map((element) => element.trim())

/**
 * Reads the entries of a list.
 * @param read returns the reason if an entry is not allowed
 * @returns the first reason if there is one
 */
export function readAll<Item extends object>(
  text: string,
  read: (entry: string) => Item | string,
): readonly Item[] | string {
  const items: Item[] = []
  for (const entry of splitList(text)) {
    const item = entry === '' ? 'it has an empty name' : read(entry)
    if (typeof item === 'string') return item
    items.push(item)
  }
  return items
}

/** An entry in a message. */
export const shown = (entry: string) => visible(shorten(entry, 40))
