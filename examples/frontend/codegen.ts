import type { CodegenConfig } from '@graphql-codegen/cli'

// The schema is the published one; a gateway serves the same at /schema/schema.graphql.
const config: CodegenConfig = {
  schema: '../../schema/schema.graphql',
  documents: 'src/**/*.tsx',
  generates: {
    'src/gql/': {
      preset: 'client',
      config: { useTypeImports: true, enumsAsTypes: true, scalars: { ID: 'string', SafeInt: 'number' } },
    },
  },
}

export default config
