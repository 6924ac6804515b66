import { describe, expect, test } from 'vitest';
import type { RegionalAws } from '../clients/aws.ts';
import { PART_SIZE, uploadInParts } from './multipart-upload.ts';

interface Asked {
  readonly call: string;
  readonly PartNumber?: number;
  readonly length?: number;
  readonly request?: unknown;
}

/** Amazon with S3 alone, which notes what it is asked for and fails at one part. */
function fakeAws(asked: Asked[], failing?: number): RegionalAws {
  const s3 = {
    createMultipartUpload: async (request: unknown) => {
      asked.push({ call: 'create', request });
      return { UploadId: 'u' };
    },
    uploadPart: async (part: { PartNumber: number; Body: Uint8Array }) => {
      if (part.PartNumber === failing) throw new Error('no room');
      asked.push({ call: 'part', PartNumber: part.PartNumber, length: part.Body.length });
      return { ETag: `e${part.PartNumber}`, ChecksumCRC32: `c${part.PartNumber}` };
    },
    completeMultipartUpload: async (request: unknown) => {
      asked.push({ call: 'complete', request });
    },
    abortMultipartUpload: async (request: unknown) => {
      asked.push({ call: 'abort', request });
    },
  };
  // Only these calls are made.
  return { s3, signal: new AbortController().signal } as unknown as RegionalAws;
}

const request = { Bucket: 'b', Key: 'k', ContentType: 'text/plain' };
const upload = { Bucket: 'b', Key: 'k', UploadId: 'u' };

describe('an object in parts', () => {
  test('is put together in the order of its parts', async () => {
    const asked: Asked[] = [];
    await uploadInParts(fakeAws(asked), request, new Uint8Array(2 * PART_SIZE + 1));
    expect(asked[0]).toEqual({ call: 'create', request });
    expect(asked.filter(({ call }) => call === 'part').map(({ length }) => length)).toEqual([
      PART_SIZE,
      PART_SIZE,
      1,
    ]);
    const last = asked.at(-1);
    expect(last?.call).toBe('complete');
    expect(last?.request).toMatchObject({
      ...upload,
      MultipartUpload: {
        Parts: [1, 2, 3].map((each) => ({
          PartNumber: each,
          ETag: `e${each}`,
          ChecksumCRC32: `c${each}`,
        })),
      },
    });
  });

  test('leaves nothing where a part cannot be sent', async () => {
    const asked: Asked[] = [];
    const sent = uploadInParts(fakeAws(asked, 2), request, new Uint8Array(2 * PART_SIZE));
    await expect(sent).rejects.toThrow('no room');
    expect(asked.at(-1)).toEqual({ call: 'abort', request: upload });
  });
});
