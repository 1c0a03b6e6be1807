import { type FragmentType, graphql, useFragment } from './gql/index.ts'

const release = graphql(`
  fragment Release on App {
    id
    title
    version
    downloadLink
  }
`)

interface ReleasesProps {
  readonly ids: readonly string[]
  /** An app for each id, in order; `null` if nothing matches or the id failed. */
  readonly apps: readonly (FragmentType<typeof release> | null)[]
}

export function Releases({ ids, apps }: ReleasesProps) {
  return <ul>{apps.map((app, at) => app && <Release key={ids[at]} app={app} />)}</ul>
}

function Release({ app }: { readonly app: FragmentType<typeof release> }) {
  const { title, version, downloadLink } = useFragment(release, app)
  return (
    <li>
      <a href={downloadLink}>{title}</a> {version}
    </li>
  )
}
