// The storage of large contents outside of the database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import { ApiError } from './http/json-api.ts';
import {
  deleteBlob,
  getBlob,
  getBlobStream,
  getSmallBlob,
  moveBlobs,
  putBlob,
  putBlobStream,
} from './services/blobs.ts';
import { deleteUnusedBlobs } from './services/unused-blobs.ts';
import { testServer, type TestServer } from './testing.ts';

const objects = new Map<string, Uint8Array>();
let isAway = false;
let partBytes = 4_000;
let test: TestServer;
beforeAll(async () => {
  test = await testServer({
    blobStorage: {
      from: 1_000,
      largest: 80 * 1024 * 1024,
      get partBytes() {
        return partBytes;
      },
      read: (name) => Promise.resolve(objects.get(name)),
      write(name, content) {
        if (isAway) return Promise.reject(new Error('the bucket does not answer'));
        objects.set(name, content);
        return Promise.resolve();
      },
      remove(name) {
        objects.delete(name);
        return Promise.resolve();
      },
    },
  });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const large = (text: string): Buffer => Buffer.from(text.repeat(2_000));
const inDatabase = async (id: string): Promise<number | undefined> =>
  (
    await test.server.services.db
      .selectFrom('blobs')
      .select('bytes')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.bytes.length;

describe('large contents', () => {
  it('are encrypted outside of the database, and small ones inside', async () => {
    const { services } = test.server;
    await putBlob(services, 'sv-1.state', large('secret'));
    await putBlob(services, 'sv-2.state', Buffer.from('small'));
    expect([...objects.keys()]).toEqual([expect.stringMatching(/^sv-1\.state\.\w{8}$/)]);
    const [stored = Buffer.alloc(0)] = objects.values();
    expect(Buffer.from(stored).includes('secret')).toBe(false);
    expect(await inDatabase('sv-1.state')).toBe(0);
    expect(await inDatabase('sv-2.state')).toBeGreaterThan(0);
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('secret'))).toBe(true);
  });

  it('are replaced without a moment in which there is none', async () => {
    const { services } = test.server;
    isAway = true;
    await expect(putBlob(services, 'sv-1.state', large('later!'))).rejects.toThrow('not answer');
    isAway = false;
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('secret'))).toBe(true);
    await putBlob(services, 'sv-1.state', large('later!'));
    expect(objects.size).toBe(1);
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('later!'))).toBe(true);
  });

  it('of another object are not accepted', async () => {
    const { services } = test.server;
    await putBlob(services, 'sv-3.state', large('third'));
    const [first = '', other = ''] = [...objects.keys()];
    objects.set(other, objects.get(first) ?? new Uint8Array());
    await expect(getBlob(services, 'sv-3.state')).rejects.toThrow();
    await deleteBlob(services, 'sv-3.state');
    expect([...objects.keys()]).toEqual([first]);
  });

  it('move into the database and back', async () => {
    const { services } = test.server;
    expect(await moveBlobs(services, 'database')).toEqual({ moved: 1, remaining: 0 });
    expect(objects.size).toBe(0);
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('later!'))).toBe(true);
    expect(await moveBlobs(services, 'storage')).toEqual({ moved: 1, remaining: 0 });
    expect([objects.size, await inDatabase('sv-1.state')]).toEqual([1, 0]);
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('later!'))).toBe(true);
    expect(await getBlob(services, 'sv-none')).toBeUndefined();
  });
});

/** Yields a content in pieces of 3000 bytes, and then fails if there is an error. */
async function* pieces(content: Buffer, error?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 3_000) yield content.subarray(at, at + 3_000);
  if (error !== undefined) throw error;
}

describe('contents that are stored while they are received', () => {
  const id = 'cv-9.tar';
  const content = Buffer.from('secret'.repeat(3_000));
  const partsOf = (name: string): string[] =>
    [...objects.keys()].filter((each) => each.startsWith(`${name}.`));
  const placeOf = async (): Promise<string | null | undefined> =>
    (
      await test.server.services.db
        .selectFrom('blobs')
        .select('place')
        .where('id', '=', id)
        .executeTakeFirst()
    )?.place;
  const setPlace = async (place: string): Promise<unknown> =>
    await test.server.services.db
      .updateTable('blobs')
      .set({ place })
      .where('id', '=', id)
      .execute();

  it('are stored in encrypted parts, and read one after the other', async () => {
    const { services } = test.server;
    await putBlobStream(services, id, pieces(content));
    expect(partsOf(id)).toEqual(
      [0, 1, 2].map((index): unknown =>
        expect.stringMatching(new RegExp(`\\.tar\\.\\w{8}\\.${index}$`)),
      ),
    );
    expect([...objects.values()].some((each) => Buffer.from(each).includes('secret'))).toBe(false);
    expect(await inDatabase(id)).toBe(0);
    const stream = await getBlobStream(services, id);
    const lengths: number[] = [];
    for await (const piece of stream?.pieces ?? []) lengths.push(piece.length);
    expect([stream?.size, lengths]).toEqual([18_000, [6_000, 6_000, 6_000]]);
    expect((await getBlob(services, id))?.equals(content)).toBe(true);
    expect(await getSmallBlob(services, id, 10_000)).toBe('too large');
  });

  it('are in the database if they are small', async () => {
    const { services } = test.server;
    await putBlobStream(services, 'cv-8.tar', pieces(Buffer.from('small')));
    expect(partsOf('cv-8.tar')).toEqual([]);
    expect((await getBlob(services, 'cv-8.tar'))?.toString()).toBe('small');
  });

  it.each([
    ['the upload breaks off', pieces(large('other!'), new Error('connection closed')), undefined],
    [
      'the write is rejected',
      pieces(large('other!')),
      () => Promise.reject(new ApiError(409, 'conflict', 'taken')),
    ],
  ])('stay as they were if %s', async (_name, other, guard) => {
    const { services } = test.server;
    const before = [...objects.keys()];
    await expect(putBlobStream(services, id, other, guard)).rejects.toThrow();
    expect([...objects.keys()]).toEqual(before);
    expect((await getBlob(services, id))?.equals(content)).toBe(true);
  });

  it('are not accepted without their end, or with parts in another order', async () => {
    const { services } = test.server;
    const place = (await placeOf()) ?? '';
    await setPlace(place.replace(/~3$/, '~2'));
    await expect(getBlob(services, id)).rejects.toThrow();
    await setPlace(place);
    const [first = '', second = ''] = partsOf(id);
    const [one, two] = [objects.get(first), objects.get(second)];
    objects.set(first, two ?? new Uint8Array()).set(second, one ?? new Uint8Array());
    await expect(getBlob(services, id)).rejects.toThrow();
    objects.set(first, one ?? new Uint8Array()).set(second, two ?? new Uint8Array());
    expect((await getBlob(services, id))?.equals(content)).toBe(true);
  });

  it('move into the database, and are replaced and deleted with their parts', async () => {
    const { services } = test.server;
    expect(await moveBlobs(services, 'database')).toMatchObject({ remaining: 0 });
    expect(objects.size).toBe(0);
    expect((await getBlob(services, id))?.equals(content)).toBe(true);
    await putBlobStream(services, id, pieces(content));
    await putBlobStream(services, id, pieces(content));
    expect(objects.size).toBe(3);
    await deleteBlob(services, id);
    expect(objects.size).toBe(0);
  });

  it('may be larger than those of the database, up to the limit', async () => {
    const created = await test.call('POST', '/api/v2/organizations/acme/workspaces', {
      data: { type: 'workspaces', attributes: { name: 'large', 'execution-mode': 'local' } },
    });
    const workspace: string = created.json.data.id;
    const announce = async (): Promise<{ readonly id: string; readonly url: string }> => {
      const { json } = await test.call(
        'POST',
        `/api/v2/workspaces/${workspace}/configuration-versions`,
        { data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } } },
      );
      return { id: json.data.id, url: json.data.attributes['upload-url'] };
    };
    partBytes = 16 * 1024 * 1024;
    const archive = Buffer.alloc(70 * 1024 * 1024);
    archive.writeUInt16BE(0x1f8b);
    const accepted = await announce();
    expect((await test.call('PUT', accepted.url, archive, null)).status).toBe(200);
    expect((await test.call('PUT', accepted.url, archive, null)).status).toBe(404);
    const { bytes } = await test.call(
      'GET',
      `/api/v2/configuration-versions/${accepted.id}/download`,
    );
    const sum = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
    expect(sum(bytes)).toBe(sum(archive));
    const rejected = await announce();
    const tooLarge = Buffer.concat([archive, Buffer.alloc(11 * 1024 * 1024)]);
    const { status, json } = await test.call('PUT', rejected.url, tooLarge, null);
    expect([status, json.errors?.[0]?.detail]).toEqual([
      413,
      'The body is limited to 83886080 bytes.',
    ]);
    expect(partsOf(`${rejected.id}.tar`)).toEqual([]);
  });

  it('are deleted an hour after their object', async () => {
    const { services } = test.server;
    const { json } = await test.call('GET', '/api/v2/organizations/acme/workspaces/large');
    await services.db.deleteFrom('workspaces').where('id', '=', json.data.id).execute();
    expect(await deleteUnusedBlobs(services)).toBe(0);
    expect(objects.size).toBeGreaterThan(0);
    test.now = new Date(test.now.getTime() + 3_700_000);
    await putBlob(services, 'cv-7.tar', Buffer.from('of an object that follows'));
    await putBlob(services, 'other-7.file', Buffer.from('of an unknown kind'));
    expect(await deleteUnusedBlobs(services)).toBeGreaterThan(0);
    expect(objects.size).toBe(0);
    const rows = await services.db.selectFrom('blobs').select('id').execute();
    expect(rows.map((row) => row.id).toSorted()).toEqual(['cv-7.tar', 'other-7.file']);
  });
});
