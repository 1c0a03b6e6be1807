/**
 * The URL of a file of the package, by its path in the repository. The code is in `src/`, or bundled in
 * `dist/`.
 */
export const ownFile = (path: string): URL => new URL(`../${path}`, import.meta.url)
