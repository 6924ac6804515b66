import { expect, it } from 'vitest';
import { showsLinks, sourceLinks } from './source-links.ts';

it.each([
  [{}, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }, true],
  [{ TERM: 'tmux-256color', TERM_PROGRAM: 'WezTerm' }, false],
  [{ TERM: 'xterm-256color', VTE_VERSION: '7600' }, true],
  [{ TERM: 'xterm-256color', VTE_VERSION: '4800' }, false],
  [{ WT_SESSION: 'x' }, true],
  [{ WT_SESSION: 'x', CI: 'true' }, false],
  [{ FORCE_HYPERLINK: '1' }, true],
  [{ TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, false],
])('a terminal with %j shows links: %s', (environment, expected) => {
  expect(showsLinks(environment)).toBe(expected);
});

it('links lead to the line, in an editor to its place there', () => {
  const link = sourceLinks('/project/a b', {});
  expect(link('modules/m/main.tf', 12)).toBe('file:///project/a%20b/modules/m/main.tf#12');
  expect(link('/etc/x.tf', 1)).toBe('file:///etc/x.tf#1');
  expect(link('<value for var.x>', 1)).toBeUndefined();
  expect(sourceLinks('/project', { TERM_PROGRAM: 'vscode' })('main.tf', 3)).toBe(
    'vscode://file/project/main.tf:3',
  );
});
