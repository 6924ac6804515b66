import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals that show links, by the environment variables that they set for their processes. */
const PROGRAMS: ReadonlySet<string> = new Set([
  'ghostty',
  'Hyper',
  'iTerm.app',
  'mintty',
  'rio',
  'Tabby',
  'vscode',
  'WarpTerminal',
  'WezTerm',
  'zed',
]);
const TERMINALS: ReadonlySet<string> = new Set([
  'alacritty',
  'contour',
  'foot',
  'xterm-ghostty',
  'xterm-kitty',
]);
/** The version from which VTE, the library of GNOME Terminal and others, displays links well: 0.50.1. */
const FIRST_VTE = 5001;

/**
 * Returns true if the terminal supports links (OSC 8). `FORCE_HYPERLINK` decides; otherwise only known terminals do,
 * because some others print the escape sequence.
 */
export function showsLinks(environment: Environment): boolean {
  const value = (name: string): string => environment[name] ?? '';
  const forced = value('FORCE_HYPERLINK');
  if (forced !== '') return forced !== '0' && forced !== 'false';
  if (value('CI') !== '') return false;
  // Terminal multiplexers do not reveal the terminal behind them.
  if (/^(?:screen|tmux)/.test(value('TERM'))) return false;
  return (
    PROGRAMS.has(value('TERM_PROGRAM')) ||
    TERMINALS.has(value('TERM')) ||
    Number(value('VTE_VERSION')) >= FIRST_VTE ||
    value('WT_SESSION') !== '' ||
    value('KONSOLE_VERSION') !== '' ||
    value('DOMTERM') !== ''
  );
}

/**
 * Creates links to lines in files, whose names are relative to a directory. Terminals of editors get links that open
 * the line in them, all others a file with the line as its fragment.
 */
export function sourceLinks(
  directory: string,
  environment: Environment,
): (filename: string, line: number) => string | undefined {
  const program = environment['TERM_PROGRAM'];
  return (filename, line) => {
    // Values from the command line and similar sources are in no file.
    if (filename === '' || filename.startsWith('<')) return undefined;
    const url = pathToFileURL(resolve(directory, filename));
    // Brackets may occur in file URLs, but would be parsed as colors here.
    const encoded = (text: string): string => text.replaceAll('[', '%5B').replaceAll(']', '%5D');
    if (program === 'vscode' || program === 'zed') {
      return `${program}://file${encoded(url.pathname)}:${line}`;
    }
    return `${encoded(url.href)}#${line}`;
  };
}
