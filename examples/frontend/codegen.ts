import type { CodegenConfig } from '@graphql-codegen/cli'
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset'

// A gateway serves the same schema at /schema/schema.graphql.
const config: CodegenConfig = {
  schema: '../../schema/schema.graphql',
  documents: 'src/**/*.tsx',
  generates: {
    'src/gql/': {
      preset: 'client',
      // Caches keep objects by type and id. If a client sends only a hash, its cache cannot add `__typename`
      // to the query, so codegen adds `__typename` here.
      documentTransforms: [addTypenameSelectionDocumentTransform],
      // Writes src/gql/persisted-documents.json, the manifest for the gateway.
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
