import type { CompletedPart, CreateMultipartUploadRequest } from '@aws-sdk/client-s3';
import { createPool } from '@terrane/host';
import type { RegionalAws } from '../clients/aws.ts';

/** Size of a part in bytes; longer content is sent in parts, as by the published provider. */
export const PART_SIZE: number = 5 * 1024 * 1024;

/** The limit of S3. */
const MAX_PARTS = 10_000;
const AT_ONCE = 5;

/** Uploads an object in parts, each of which is retried separately. Removes all parts after a failure. */
export async function uploadInParts(
  { s3, signal }: RegionalAws,
  request: CreateMultipartUploadRequest & { readonly Bucket: string; readonly Key: string },
  body: Uint8Array,
): Promise<void> {
  const { Bucket, Key } = request;
  const { UploadId } = await s3.createMultipartUpload(request);
  const upload = { Bucket, Key, UploadId };
  const size = Math.max(PART_SIZE, Math.ceil(body.length / MAX_PARTS));
  const pool = createPool(AT_ONCE);
  const send = async (PartNumber: number): Promise<CompletedPart> => {
    const Body = body.subarray((PartNumber - 1) * size, PartNumber * size);
    const algorithm = request.ChecksumAlgorithm;
    const sent = await s3.uploadPart({
      ...upload,
      PartNumber,
      Body,
      ...(algorithm !== undefined && { ChecksumAlgorithm: algorithm }),
    });
    const { ETag, ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 } =
      sent;
    const sums = { ChecksumCRC32, ChecksumCRC32C, ChecksumCRC64NVME, ChecksumSHA1, ChecksumSHA256 };
    return { PartNumber, ETag, ...sums };
  };
  try {
    const numbers = Array.from({ length: Math.ceil(body.length / size) }, (_, index) => index + 1);
    const Parts = await Promise.all(numbers.map((each) => pool.run(() => send(each), signal)));
    await s3.completeMultipartUpload({ ...upload, MultipartUpload: { Parts } });
  } catch (error) {
    // Parts of incomplete uploads are kept, and charged. The first error is reported.
    await s3.abortMultipartUpload(upload).catch(() => undefined);
    throw error;
  }
}
