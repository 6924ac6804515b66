// Microsoft's client of Azure Blob Storage, in a separate bundle.
export {
  AnonymousCredential,
  BlobServiceClient,
  newPipeline,
  RestError,
  StorageSharedKeyCredential,
  type BlobServiceClient as BlobServiceClientType,
  type BlockBlobClient,
  type ContainerClient,
  type IHttpClient,
  type StoragePipelineOptions,
} from '@azure/storage-blob';
export { toHttpHeadersLike } from '@azure/core-http-compat';
export { createHttpHeaders, type HttpClient } from '@azure/core-rest-pipeline';
