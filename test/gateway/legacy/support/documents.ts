import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(`../../../../schema/${name}`, import.meta.url), 'utf8')

export const publishedXsd = read('legacy.xsd')
export const publishedOpenApi = read('legacy.openapi.json')
