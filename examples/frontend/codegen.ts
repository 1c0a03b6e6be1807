import type { CodegenConfig } from '@graphql-codegen/cli'
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset'

// The schema is the published one; a gateway serves the same at /schema/schema.graphql.
const config: CodegenConfig = {
  schema: '../../schema/schema.graphql',
  documents: 'src/**/*.tsx',
  generates: {
    'src/gql/': {
      preset: 'client',
      // Writes src/gql/persisted-documents.json, the manifest for the gateway.
      // Caches keep objects by type and id. Nothing adds the type to a document that is sent by its hash.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      presetConfig: { persistedDocuments: { hashAlgorithm: 'sha256' } },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: { ID: 'string', SafeInt: 'number', URL: 'string' },
      },
    },
  },
}

export default config
