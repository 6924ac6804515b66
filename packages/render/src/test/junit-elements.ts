// The parts of JUnit XML, for tests of configurations and of policies.
import { escapeXml, replaceNonXmlCharacters } from '@terrane/host';

/** Formats an element with a message attribute, if any, and character data. */
export function element(name: string, message: string, body: string): string {
  const messageAttribute = message === '' ? '' : ` message="${attribute(message)}"`;
  return `<${name}${messageAttribute}>${cdata(body)}</${name}>`;
}

function cdata(text: string): string {
  return text === ''
    ? ''
    : `<![CDATA[${replaceNonXmlCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Escapes the value of an attribute. */
export function attribute(text: string): string {
  return escapeXml(replaceNonXmlCharacters(text));
}

/** Formats milliseconds as seconds, as Go prints a floating point number. */
export function secondsText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds < 1e-4 ? seconds.toExponential().replace(/e-(\d)$/, 'e-0$1') : String(seconds);
}
