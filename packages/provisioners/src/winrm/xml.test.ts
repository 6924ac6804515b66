import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readXml, xmlElement } from './xml.ts';

const read = (xml: string): readonly object[] =>
  readXml(xml).map(({ name, attributes, text }) => ({ name, attributes, text }));

it('what is written is what is read', () => {
  // What XML can hold: no control characters but tabs and line ends.
  const texts = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text));
  fc.assert(
    fc.property(texts, texts, (attribute, text) => {
      const xml = xmlElement('a:x', { 'b:y': attribute }, [xmlElement('z', {}, text)]);
      expect(read(xml)).toEqual([
        { name: 'x', attributes: { y: attribute }, text },
        { name: 'z', attributes: {}, text },
      ]);
    }),
  );
});

it('comments and instructions are passed over, sections of characters are texts', () => {
  const xml = `<?xml version="1.0"?><!-- <no> --><s:a xmlns:s='u'>1<![CDATA[<&]]><b/>&#x41;&#66;&amp;</s:a>`;
  expect(read(xml)).toEqual([
    { name: 'a', attributes: { s: 'u' }, text: '1<&AB&' },
    { name: 'b', attributes: {}, text: '' },
  ]);
});

it.each([
  '',
  'text',
  '<a>',
  '<a></b>',
  '<a',
  '<a b=c/>',
  '<!DOCTYPE a><a/>',
  '<a/></a>',
  '<a>&#x110000;</a>',
])('"%s" is not well-formed, or is what is not read', (xml) => {
  expect(() => readXml(xml)).toThrow('not well-formed');
});

it('elements in elements without end are refused, and many texts take time in proportion', () => {
  expect(() => readXml('<a>'.repeat(200_000))).toThrow('too many elements in elements');
  const deep = `${'<a>x'.repeat(99)}${'<b/>x'.repeat(180_000)}${'</a>'.repeat(99)}`;
  const start = performance.now();
  expect(readXml(deep)[0]?.text.length).toBe(180_099);
  expect(performance.now() - start).toBeLessThan(5_000);
});
