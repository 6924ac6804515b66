// Large contents of the run server in a bucket of S3, with a server that answers as Amazon's does.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeHost } from '@terrane/host';
import { openProject, openStandaloneStorage } from '@terrane/ops';
import {
  getBlob,
  getBlobStream,
  putBlob,
  putBlobStream,
  testServer,
} from '@terrane/server/testing';
import { MOTO, type Moto, startMoto } from '../backends/moto.ts';

const canRun = MOTO || process.env['CI'] === 'true';
let moto: Moto;
beforeAll(async () => {
  if (canRun) moto = await startMoto();
});
afterAll(async () => {
  await moto?.stop();
});

const settings = (bucket: string): string => `
backend "s3" {
  bucket                      = "${bucket}"
  key                         = "terrane/blobs"
  region                      = "us-east-1"
  access_key                  = "id"
  secret_key                  = "key"
  use_path_style              = true
  skip_credentials_validation = true
  skip_requesting_account_id  = true
  endpoints                   = { s3 = "${moto.endpoint}", sts = "${moto.endpoint}", dynamodb = "${moto.endpoint}" }
}
`;

const open = async (text: string) =>
  await openStandaloneStorage(openProject(nodeHost({ cwd: '/' })), 'blobs.hcl', text);

it.skipIf(!canRun)('stores a large content in the bucket, encrypted, and reads it', async () => {
  const { storage, diagnostics } = await open(settings('bucket'));
  expect(diagnostics).toEqual([]);
  if (storage === undefined) throw new Error('no storage');
  await using test = await testServer({
    blobStorage: {
      from: 10_000,
      partBytes: 1024 * 1024,
      largest: 100 * 1024 * 1024,
      read: (name) => storage.read(name),
      write: (name, content) => storage.write(name, content),
      remove: (name) => storage.remove(name),
    },
  });
  const content = Buffer.from('{"password":"hunter2"}'.repeat(1_000));
  await putBlob(test.server.services, 'plan-1.json', content);
  const listing = await (await fetch(`${moto.endpoint}/bucket?list-type=2`)).text();
  const [, key = ''] = /<Key>([^<]+)<\/Key>/.exec(listing) ?? [];
  expect(key).toMatch(/^terrane\/blobs\.history\/plan-1\.json\.\w{8}$/);
  const name = key.split('.history/')[1] ?? '';
  const object = Buffer.from((await storage.read(name)) ?? new Uint8Array());
  expect(object.length).toBeGreaterThan(0);
  expect(object.includes('hunter2')).toBe(false);
  const read = await getBlob(test.server.services, 'plan-1.json');
  expect(read?.equals(content)).toBe(true);

  const archive = Buffer.from('secret'.repeat(500_000));
  const pieces = Readable.from([archive.subarray(0, 2_000_000), archive.subarray(2_000_000)]);
  await putBlobStream(test.server.services, 'cv-1.tar', pieces);
  const parts = await (await fetch(`${moto.endpoint}/bucket?list-type=2`)).text();
  expect(parts.match(/<Key>[^<]*cv-1\.tar[^<]*<\/Key>/g)).toHaveLength(2);
  const stream = await getBlobStream(test.server.services, 'cv-1.tar');
  const received: Buffer[] = [];
  for await (const piece of stream?.pieces ?? []) received.push(piece);
  expect([received.length, Buffer.concat(received).equals(archive)]).toEqual([2, true]);
});

it('names the backends that store nothing but states', async () => {
  const { diagnostics } = await open('backend "http" {\n  address = "http://127.0.0.1:1/"\n}\n');
  expect(diagnostics.map(({ detail }) => detail)).toEqual([
    'The backend "http" stores states only. Use "s3", "gcs", "azurerm", "oss", "cos" or "oci".',
  ]);
  const missing = await open('');
  expect(missing.diagnostics[0]?.detail).toContain('one "backend" block');
});
