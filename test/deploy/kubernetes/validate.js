// Reads objects as JSON from stdin, and prints for each what its published schema has against it. A process of
// its own, since its packages are installed only where this test runs.

import { json } from 'node:stream/consumers'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'
import { Deployment } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'

const models = [
  Deployment,
  HorizontalPodAutoscaler,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceMonitor,
]

function complaint(object) {
  const Model = models.find((model) => model.is(object))
  if (Model === undefined) return `${object.apiVersion} ${object.kind} is not known here`
  try {
    new Model(object).validate()
    return null
  } catch (error) {
    return error.message
  }
}

const objects = await json(process.stdin)
process.stdout.write(JSON.stringify(objects.map(complaint)))
