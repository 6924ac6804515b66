// The storage of large contents outside of the database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteBlob, getBlob, moveBlobs, putBlob } from './services/blobs.ts';
import { testServer, type TestServer } from './testing.ts';

const objects = new Map<string, Uint8Array>();
let isAway = false;
let test: TestServer;
beforeAll(async () => {
  test = await testServer({
    blobStorage: {
      from: 1_000,
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
    expect(await moveBlobs(services, 'database')).toBe(1);
    expect(objects.size).toBe(0);
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('later!'))).toBe(true);
    expect(await moveBlobs(services, 'storage')).toBe(1);
    expect([objects.size, await inDatabase('sv-1.state')]).toEqual([1, 0]);
    expect((await getBlob(services, 'sv-1.state'))?.equals(large('later!'))).toBe(true);
    expect(await getBlob(services, 'sv-none')).toBeUndefined();
  });
});
