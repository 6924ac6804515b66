import type { BackendKind } from './backend.ts';

/** The kinds of backends except `local`, by their names in configurations; each is loaded on first use. */
export const BACKEND_KINDS: ReadonlyMap<string, () => Promise<BackendKind>> = new Map([
  ['azurerm', async () => (await import('./azurerm/azurerm-backend.ts')).AZURERM],
  ['cos', async () => (await import('./cos/cos-backend.ts')).COS],
  ['gcs', async () => (await import('./gcs/gcs-backend.ts')).GCS],
  ['http', async () => (await import('./http/http-backend.ts')).HTTP],
  ['consul', async () => (await import('./consul/consul-backend.ts')).CONSUL],
  ['kubernetes', async () => (await import('./kubernetes/kubernetes-backend.ts')).KUBERNETES],
  ['oci', async () => (await import('./oci/oci-backend.ts')).OCI],
  ['oss', async () => (await import('./oss/oss-backend.ts')).OSS],
  ['pg', async () => (await import('./pg/pg-backend.ts')).PG],
  ['s3', async () => (await import('./s3/s3-backend.ts')).S3],
  ['inmem', async () => (await import('./inmem/inmem-backend.ts')).INMEM],
  ['remote', async () => (await import('./cloud/remote-backend.ts')).REMOTE],
]);

/** The kind of backend that a `cloud` block opens; no `backend` block can name it. */
export const CLOUD_KIND = async (): Promise<BackendKind> =>
  (await import('./cloud/cloud-backend.ts')).CLOUD;
