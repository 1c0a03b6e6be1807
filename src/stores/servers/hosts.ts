// Which of the hosts that DATABASE_URL names as nodes are in one cluster.

export interface Hosts {
  readonly has: (address: string) => boolean
  /** @param cluster `null` where it gets nothing of a cluster, or cannot be asked */
  readonly isIn: (address: string, cluster: string | null) => void
  /** Whether most hosts are in another cluster; of as many, that of the first counts. */
  readonly isOutside: (address: string) => boolean
}

/** @param addresses in the order of the URL */
export function createHosts(addresses: readonly string[]): Hosts {
  const clusters = new Map<string, string>()

  function commonCluster(): string | null {
    const known = addresses.flatMap((address) => clusters.get(address) ?? [])
    const countOf = (cluster: string) => known.filter((other) => other === cluster).length
    const most = Math.max(...known.map(countOf))
    return known.find((cluster) => countOf(cluster) === most) ?? null
  }

  return {
    has: (address) => addresses.includes(address),
    isIn: (address, cluster) => {
      if (cluster === null) clusters.delete(address)
      else clusters.set(address, cluster)
    },
    isOutside: (address) => {
      const common = commonCluster()
      return common !== null && addresses.includes(address) && clusters.get(address) !== common
    },
  }
}
