// Types the operations that the legacy facade runs: `npm run codegen` writes the file, and
// `npm run check:contracts` says if it is stale. The plugins run without graphql-codegen's command, which
// would double what `npm install` brings.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { codegen } from '@graphql-codegen/core'
import * as typedDocumentNode from '@graphql-codegen/typed-document-node'
import * as typescriptOperations from '@graphql-codegen/typescript-operations'
import { buildASTSchema, parse } from 'graphql'

const filename = 'src/legacy/operations.generated.ts'
const operations = 'schema/operations'

const schema = parse(readFileSync('schema/schema.graphql', 'utf8'))

const generated = await codegen({
  filename,
  schema,
  schemaAst: buildASTSchema(schema),
  documents: readdirSync(operations).map((name) => {
    const location = `${operations}/${name}`
    return { location, document: parse(readFileSync(location, 'utf8')) }
  }),
  plugins: [{ operations: {} }, { documents: {} }],
  pluginMap: { operations: typescriptOperations, documents: typedDocumentNode },
  config: {
    enumsAsTypes: true,
    useTypeImports: true,
    optimizeDocumentNode: true,
    scalars: { ID: { input: 'string', output: 'string' }, SafeInt: 'number', URL: 'string' },
    // A scalar without a type here is an error, and not `any`.
    strictScalars: true,
    arrayInputCoercion: false,
    immutableTypes: true,
  },
})

if (process.argv[2] === '--write') writeFileSync(filename, generated)
else if (readFileSync(filename, 'utf8') !== generated) {
  process.stderr.write(`Stale: ${filename}. "npm run codegen" writes it anew.\n`)
  process.exitCode = 1
}
