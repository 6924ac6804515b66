/** The rules by which a file system takes names. */
export type NameRules = 'posix' | 'windows' | 'macos';

/** Device names of Windows, with any extension: `nul.tf` is the null device in older versions. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$/i;
// oxlint-disable-next-line no-control-regex -- Windows does not allow them
const FORBIDDEN = /[\u0000-\u001f<>:"|?*]/;

/**
 * Validates the relative path of a file from an untrusted source. Returns a description of the problem, or undefined.
 * Separators are slashes, and backslashes on Windows.
 *
 * On Windows a colon names a drive or an alternate data stream, dots and spaces at the end of a name are dropped (`.. `
 * is the parent directory), and names of devices are not files.
 */
export function pathProblem(path: string, rules: NameRules = 'posix'): string | undefined {
  if (path.split(/[/\\]/).includes('..')) return `entry contains '..': ${path}`;
  if (rules !== 'windows') return undefined;
  for (const part of path.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (FORBIDDEN.test(part) || /[. ]$/.test(part) || RESERVED.test(part)) {
      return `entry has a name that Windows does not allow: ${JSON.stringify(path)}`;
    }
  }
  return undefined;
}

/** Returns a key that is equal for all paths that a file system resolves to the same file. */
export function pathKey(path: string, rules: NameRules = 'posix'): string {
  const parts = path.split(rules === 'windows' ? /[/\\]/ : '/');
  const plain = parts.filter((part) => part !== '' && part !== '.').join('/');
  switch (rules) {
    case 'posix':
      return plain;
    case 'windows':
      // Windows compares letter by letter: no letter becomes two.
      return Array.from(plain, (letter) => {
        const upper = letter.toUpperCase();
        return upper.length === letter.length ? upper : letter;
      }).join('');
    case 'macos':
      return plain.normalize('NFD').toLowerCase().normalize('NFD');
  }
}
