import fc from 'fast-check';
import { expect, it } from 'vitest';
import { replaceNonXmlCharacters } from './escape-xml.ts';
import { formatXmlElement, parseXml, xmlTextByName, xmlTexts } from './xml.ts';

const parsed = (xml: string): readonly object[] =>
  parseXml(xml).map(({ name, attributes, text }) => ({ name, attributes, text }));

it('formatted elements are parsed to the same attributes and texts', () => {
  const texts = fc.string({ unit: 'binary' }).map(replaceNonXmlCharacters);
  fc.assert(
    fc.property(texts, texts, (attribute, text) => {
      const xml = formatXmlElement('a:x', { 'b:y': attribute }, [formatXmlElement('z', {}, text)]);
      expect(parsed(xml)).toEqual([
        { name: 'x', attributes: { y: attribute }, text },
        { name: 'z', attributes: {}, text },
      ]);
    }),
  );
});

it('comments and instructions are ignored, CDATA sections are texts', () => {
  const xml = `<?xml version="1.0"?><!-- <no> --><s:a xmlns:s='u'>1<![CDATA[<&]]><b/>&#x41;&#66;&amp;</s:a>`;
  expect(parsed(xml)).toEqual([
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
  '<a b="c/>',
  '<a/></a>',
  '<a><',
  '<a>&</a>',
  '<a>&unknown;</a>',
  '<a>&constructor;</a>',
  '<a>&#x110000;</a>',
  '<a>&#0;</a>',
  '<a><![CDATA[</a>',
  '<a><!--</a>',
  '<a/>text',
  '<a hasOwnProperty="1" b="2"/>',
])('"%s" is not well-formed', (xml) => {
  expect(() => parseXml(xml)).toThrow('the response is not well-formed XML');
});

it('names of members of objects are names like any other', () => {
  expect(parsed('<__proto__ __proto__="1" constructor="2"/>')).toEqual([
    { name: '__proto__', attributes: { constructor: '2' }, text: '' },
  ]);
});

it.each([
  '<!DOCTYPE a><a/>',
  '<!DOCTYPE html><html><body>Bad gateway</body></html>',
  '<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>',
])('"%s" has a document type', (xml) => {
  expect(() => parseXml(xml)).toThrow('the XML of the response has a document type');
});

it('elements can be 100 deep, and no deeper', () => {
  const nested = (depth: number): string => `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`;
  expect(parseXml(nested(100)).at(-1)?.text).toBe('x');
  expect(() => parseXml(nested(101))).toThrow('is nested more than 100 elements deep');
  expect(() => parseXml('<a>'.repeat(200_000))).toThrow('is nested more than 100 elements deep');
});

it('a document longer than 16 Mi code units is rejected', () => {
  expect(() => parseXml(`<a>${' '.repeat(16 * 1024 * 1024)}</a>`)).toThrow('is too long');
});

it.each([
  ['elements', `<r>${'<Key>a/b</Key>'.repeat(70_000)}</r>`, 70_001],
  [
    'texts in nested elements',
    `${'<a>x'.repeat(99)}${'<b/>x'.repeat(180_000)}${'</a>'.repeat(99)}`,
    180_099,
  ],
  [
    'attributes',
    `<r ${Array.from({ length: 60_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
    1,
  ],
  ['references', `<r>${'&amp;'.repeat(200_000)}</r>`, 1],
])('%s of a megabyte are parsed', (_, xml, count) => {
  expect(parseXml(xml)).toHaveLength(count);
});

it.each([
  ['open sections', `<r>${'<![CDATA['.repeat(100_000)}`],
  ['open comments', `<r>${'<!-- '.repeat(200_000)}`],
  ['open tags', '<'.repeat(1_000_000)],
  ['starts of tags', '<a'.repeat(500_000)],
  ['a reference', `<r>&${'a'.repeat(1_000_000)}`],
  ['a name', `<${'a:'.repeat(500_000)}`],
])('a megabyte of %s is rejected', (_, xml) => {
  expect(() => parseXml(xml)).toThrow('not well-formed');
});

it('texts of elements are read by name, with any prefix', () => {
  const list = '<l:List xmlns:l="u"><l:Key>a&amp;b</l:Key><Other>x</Other><Key/></l:List>';
  expect(xmlTexts(parseXml(list), 'Key')).toEqual(['a&b', '']);
});

it('a response that is not XML has no texts', () => {
  expect(xmlTextByName('<Error><Code>NoSuchKey</Code></Error>')('Code')).toBe('NoSuchKey');
  expect(xmlTextByName('<Error/>')('Code')).toBeUndefined();
  expect(xmlTextByName('<html><br>Bad gateway')('Code')).toBeUndefined();
  expect(xmlTextByName('')('Code')).toBeUndefined();
});
