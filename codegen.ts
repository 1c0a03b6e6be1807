import type { CodegenConfig } from '@graphql-codegen/cli'

// Types the operations that the legacy facade runs. `npm run codegen` writes, `npm run check:contracts`
// checks.
const config: CodegenConfig = {
  schema: 'schema/schema.graphql',
  documents: 'schema/operations/*.graphql',
  generates: {
    'src/legacy/operations.generated.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
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
    },
  },
}

export default config
