import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHcl } from '../toolkit/parse-hcl.ts';
import { AttributeList, type NativeAttribute } from './attribute-list.ts';

/** Attributes named "a0", "a1", … */
function attributesOf(count: number): NativeAttribute[] {
  const lines = Array.from({ length: count }, (_, i) => `a${i} = ${i}\n`);
  return [...parseHcl(lines.join('')).body.attributes.values()];
}

test('a list is a map of its attributes', () => {
  const attributes = attributesOf(20);
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.nat({ max: 20 }), fc.boolean(), (count, more, isRead) => {
      const expected = new Map<string, NativeAttribute>();
      const list = new AttributeList(attributes.slice(0, count));
      for (const attribute of attributes.slice(0, count)) expected.set(attribute.name, attribute);
      if (isRead) expect([...list.values()]).toEqual([...expected.values()]);
      for (const attribute of attributes.slice(count, count + more)) {
        expect(list.has(attribute.name)).toBe(false);
        list.add(attribute);
        expected.set(attribute.name, attribute);
      }
      expect(list.size).toBe(expected.size);
      for (const { name } of attributes) {
        expect(list.get(name)).toBe(expected.get(name));
        expect(list.has(name)).toBe(expected.has(name));
      }
      expect([...list]).toEqual([...expected]);
      expect([...list.keys()]).toEqual([...expected.keys()]);
      const visited: [string, NativeAttribute][] = [];
      list.forEach((attribute, name) => visited.push([name, attribute]));
      expect(visited).toEqual([...expected]);
    }),
  );
});
