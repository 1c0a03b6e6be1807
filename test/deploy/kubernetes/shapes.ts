// What the test reads of the manifests. The published schemas say whether they have these shapes.

export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Labels }
}
type Labels = Readonly<Record<string, string>>

interface Selector {
  readonly matchLabels: Labels
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}
interface Container {
  readonly image: string
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly securityContext: object
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  readonly volumeMounts: readonly { readonly mountPath: string }[]
}
export interface Deployment extends Manifest {
  readonly spec: {
    readonly selector: Selector
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly securityContext: object
        readonly terminationGracePeriodSeconds: number
        readonly topologySpreadConstraints: readonly { readonly labelSelector: Selector }[]
        readonly containers: readonly [Container]
        readonly volumes: readonly object[]
      }
    }
  }
}
export interface Service extends Manifest {
  readonly spec: {
    readonly selector: Labels
    readonly ports: readonly { readonly name: string; readonly targetPort: string }[]
  }
}
export interface Autoscaler extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly kind: string; readonly name: string }
    readonly minReplicas: number
    readonly metrics: readonly [{ readonly pods: { readonly metric: { readonly name: string } } }, object]
  }
}
export interface Budget extends Manifest {
  readonly spec: { readonly selector: Selector; readonly maxUnavailable: number }
}
interface Rule {
  readonly ports: readonly [{ readonly port: string }]
  readonly from?: readonly object[]
}
export interface Policy extends Manifest {
  readonly spec: { readonly podSelector: Selector; readonly ingress: readonly Rule[] }
}
export interface Monitor extends Manifest {
  readonly spec: {
    readonly selector: Selector
    readonly endpoints: readonly [{ readonly port: string; readonly path: string }]
  }
}
export interface Kustomization {
  readonly resources: readonly string[]
  readonly images: readonly [{ readonly name: string }]
}
