import { describe, expect, it } from 'vitest';
import { colorize, linkText } from './style.ts';
import { terminalText } from './terminal-text.ts';

describe('text for a terminal', () => {
  it.each([
    ['plain text with äöü, 漢字 and 👩‍👩‍👧', 'a\tb\nc äöü 漢字 👩‍👩‍👧'],
    ['colors', colorize('[bold][red]x[reset] [green]+[reset] [dark_gray]y', true)],
    ['links', linkText('main.tf line 1', 'file:///project/main.tf#1')],
    ['links into editors', linkText('main.tf line 1', 'vscode://file/project/main.tf:1')],
  ])('keeps %s', (_, text) => expect(terminalText(text)).toBe(text));

  it.each([
    ['the cursor', '\u001b[1A\u001b[2K', String.raw`\u001b[1A\u001b[2K`],
    ['the title', '\u001b]0;title\u0007', String.raw`\u001b]0;title\u0007`],
    ['the clipboard', '\u001b]52;c;eA==\u001b\\', String.raw`\u001b]52;c;eA==\u001b\ `.trim()],
    [
      'where a link leads',
      '\u001b]8;;https://x.example\u001b\\',
      String.raw`\u001b]8;;https://x.example\u001b\ `.trim(),
    ],
    ['whether text is seen', '\u001b[8mx\u001b[30;40m', String.raw`\u001b[8mx\u001b[30;40m`],
    ['the line, by a carriage return', 'safe\rgone', String.raw`safe\u000dgone`],
    ['the line, by backspaces', 'safe\b\b', String.raw`safe\u0008\u0008`],
    ['the state, by a C1 control', '\u009b2K\u0085', String.raw`\u009b2K\u0085`],
    ['the order of characters', 'a\u202eb\u2066\u200f', String.raw`a\u202eb\u2066\u200f`],
    ['anything else', '\u0000\u0007\u000b\u000c\u007f', String.raw`\u0000\u0007\u000b\u000c\u007f`],
  ])('escapes what changes %s', (_, text, expected) => expect(terminalText(text)).toBe(expected));

  it('shows JSON with the same meaning', () => {
    const json = JSON.stringify({ a: '\u009b\u202e\u007f' });
    expect(terminalText(json)).not.toBe(json);
    expect(JSON.parse(terminalText(json))).toEqual(JSON.parse(json));
  });
});
