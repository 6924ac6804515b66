import { describe, expect, it } from 'vitest';
import { MemoryStates } from './memory-storage.ts';

const info = {
  id: 'a',
  operation: '',
  info: '',
  who: '',
  version: '',
  created: '',
  path: '',
};

describe('states in memory', () => {
  it('are shared by name and locked one by one', async () => {
    const states = new MemoryStates();
    const first = states.storage('default');
    const second = states.storage('default');
    await first.write([new Uint8Array([1]), new Uint8Array([2])]);
    expect(await second.read()).toEqual(new Uint8Array([1, 2]));
    expect((await first.lock?.(info))?.kind).toBe('locked');
    expect(await second.lock?.({ ...info, id: 'b' })).toMatchObject({ kind: 'held', info });
    expect((await states.storage('other').lock?.(info))?.kind).toBe('locked');
    await expect(second.unlock?.('b')).rejects.toThrow('state not locked');
    await second.unlock?.('a');
    expect((await second.lock?.({ ...info, id: 'b' }))?.kind).toBe('locked');
    expect(states.names()).toEqual(['default', 'other']);
    states.delete('other');
    expect(states.names()).toEqual(['default']);
  });

  it('keep their content when a write may not commit', async () => {
    const storage = new MemoryStates().storage('default');
    await storage.write([new Uint8Array([1])]);
    const refuse = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(storage.write([new Uint8Array([2])], refuse)).rejects.toThrow('no');
    expect(await storage.read()).toEqual(new Uint8Array([1]));
  });
});
