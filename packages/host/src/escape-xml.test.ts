import { expect, it } from 'vitest';
import { escapeXml, replaceNonXmlCharacters } from './escape-xml.ts';

it('texts are escaped as Go escapes them', () => {
  expect(escapeXml(`<&>"'\t\n\r\u00e9`)).toBe('&lt;&amp;&gt;&#34;&#39;&#x9;&#xA;&#xD;\u00e9');
  expect(replaceNonXmlCharacters('a\0\u001f\n\ud800\u{1f600}')).toBe(
    'a\ufffd\ufffd\n\ufffd\u{1f600}',
  );
});
