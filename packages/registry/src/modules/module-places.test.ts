import { expect, it } from 'vitest';
import { ModulePlaces } from './module-places.ts';

const LONG = /^m\/module-[0-9a-f]{16}$/;

it('a module is in the directory of its key', () => {
  for (const rules of ['posix', 'windows', 'macos'] as const) {
    const places = new ModulePlaces('m', [], rules);
    expect(places.of('net')).toBe('m/net');
    expect(places.of('net.Sub')).toBe('m/net.Sub');
    expect(places.of('net')).toBe('m/net');
  }
  expect(new ModulePlaces('m', []).of('nul')).toBe('m/nul');
});

it.each(['windows', 'macos'] as const)(
  'modules whose keys differ in case only are apart on %s',
  (rules) => {
    const places = new ModulePlaces('m', [], rules);
    expect(places.of('net')).toBe('m/net');
    const other = places.of('Net');
    expect(other).toMatch(LONG);
    expect(places.of('Net')).toBe(other);
    // The next run finds them where they are, in whatever order they are asked for.
    const records = [
      { key: 'Net', source: 's', directory: `${other}/sub` },
      { key: 'net', source: 's', directory: 'm/net' },
      { key: 'net.local', source: './local', directory: 'm/net/local' },
    ];
    const next = new ModulePlaces('m', records, rules);
    expect(next.of('Net')).toBe(other);
    expect(next.of('net')).toBe('m/net');
    expect(next.of('NET')).toMatch(LONG);
    expect(next.of('NET')).not.toBe(other);
  },
);

it('modules are not in devices of Windows', () => {
  const places = new ModulePlaces('m', [], 'windows');
  for (const key of ['nul', 'con', 'aux.x', 'COM1']) expect(places.of(key)).toMatch(LONG);
});
