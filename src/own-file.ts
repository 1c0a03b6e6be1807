/**
 * A file that comes with the program, by its path in the repository: the sources are in `src/`, what the
 * package runs is in `dist/` beside it.
 */
export const ownFile = (path: string): URL => new URL(`../${path}`, import.meta.url)
