/** The match of a path with the ignore rules; a directory is ignored with its content. */
export interface Ignored {
  readonly isLeftOut: boolean;
  /** true if later rules cannot include nested paths again */
  readonly isFinal: boolean;
}

/** Matches a path with the rules for the upload to a server. */
export type IgnoreRules = (path: string) => Ignored;

interface Rule {
  readonly pattern: RegExp | undefined;
  readonly isNegated: boolean;
  /** true if a later rule may include paths that this one excludes */
  readonly isTakenBack: boolean;
}

const DEFAULTS = '.terraform/\n!.terraform/modules/\n.git/\n';

/**
 * Returns the rules of a `.terraformignore` file after Terraform's defaults, which ignore the repository's metadata and
 * Terraform's data directory without its modules. Paths are relative, with `/`; directories are matched with and
 * without a trailing `/`. An invalid pattern matches nothing.
 */
export function ignoreRules(text = ''): IgnoreRules {
  const patterns = patternsOf(`${DEFAULTS}${text}`);
  const last = patterns.findLastIndex(({ isNegated }) => isNegated);
  const rules = patterns.map(({ pattern, isNegated }, index): Rule => ({
    pattern: compile(pattern),
    isNegated,
    isTakenBack: index < last,
  }));
  return (path) => {
    let [isLeftOut, isFinal] = [false, false];
    for (const { pattern, isNegated, isTakenBack } of rules) {
      if (pattern?.test(path) !== true) continue;
      isLeftOut = !isNegated;
      isFinal = isLeftOut && !isTakenBack;
    }
    return { isLeftOut, isFinal };
  };
}

function patternsOf(text: string): { readonly pattern: string; readonly isNegated: boolean }[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const isNegated = trimmed.startsWith('!');
    const pattern = isNegated ? trimmed.slice(1) : trimmed;
    if (pattern === '') return [];
    const full = pattern.endsWith('/') ? `${pattern}**` : pattern;
    return [{ pattern: full.startsWith('/') ? full.slice(1) : `**/${full}`, isNegated }];
  });
}

function compile(pattern: string): RegExp | undefined {
  let text = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '*' && pattern[at + 1] === '*') {
      at++;
      if (pattern[at + 1] === '/') at++;
      text += at + 1 >= pattern.length ? '.*' : '(.*/)?';
    } else if (char === '*') text += '[^/]*';
    else if (char === '?') text += '[^/]';
    else if (char === '.' || char === '$') text += `\\${char}`;
    else if (char === '\\') text += `\\${pattern[++at] ?? ''}`;
    else text += char;
  }
  try {
    return new RegExp(`^${text}$`);
  } catch {
    return undefined;
  }
}
