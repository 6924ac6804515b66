/** The first commit whose subject is held to `SUBJECT_LIMIT` has this parent; older subjects stay as they are. */
export const SUBJECTS_SINCE = 'faecc5324639ec1f159d24c0ba0aaf286e32627e';

/** Maximum length of a commit subject in characters. */
export const SUBJECT_LIMIT = 72;

/** Returns the one-based numbers of the lines that are conflict markers of git. */
export function conflictMarkers(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) =>
    /^(?:<{7}|>{7}|\|{7})(?: |$)/.test(line) ? index + 1 : [],
  );
}

/** Returns the subjects longer than `SUBJECT_LIMIT`. */
export function longSubjects(subjects: readonly string[]): string[] {
  return subjects.filter((subject) => [...subject].length > SUBJECT_LIMIT);
}

/**
 * Returns the `kind` values of a discriminated union in TypeScript source. Throws if the source does not declare
 * the union.
 */
export function unionKinds(source: string, union: string): Set<string> {
  const start = source.indexOf(`export type ${union} =`);
  if (start < 0) throw new Error(`no type ${union}`);
  const end = /;\n\n|;\n$/.exec(source.slice(start));
  const declaration = source.slice(start, end === null ? undefined : start + end.index + 1);
  const kinds = new Set<string>();
  for (const [, list = ''] of declaration.matchAll(/readonly kind: ((?:'\w+'(?: \| )?)+)/g)) {
    for (const [, kind = ''] of list.matchAll(/'(\w+)'/g)) kinds.add(kind);
  }
  return kinds;
}

/**
 * Returns the names in code spans of one column (0 is the first) of the table whose header row is `header`. Throws
 * if the page has no such table.
 */
export function tableNames(page: string, header: string, column = 0): Set<string> {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.trim() === header);
  if (start < 0) throw new Error(`no table ${header}`);
  const names = new Set<string>();
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    const cell = line.split('|')[column + 1] ?? '';
    for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g)) names.add(name);
  }
  return names;
}

/** Returns the code spans inside the first parentheses after `lead`. Throws if the page does not contain them. */
export function parenthesizedNames(page: string, lead: string): Set<string> {
  const start = page.indexOf(`${lead} (`);
  if (start < 0) throw new Error(`no enumeration after "${lead}"`);
  const list = page.slice(start + lead.length, page.indexOf(')', start));
  return new Set(Array.from(list.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
}

/** Describes how a documented enumeration differs from the code; empty if they are equal. */
export function enumerationProblems(
  subject: string,
  documented: ReadonlySet<string>,
  actual: ReadonlySet<string>,
): string[] {
  const missing = [...actual].filter((name) => !documented.has(name));
  const stale = [...documented].filter((name) => !actual.has(name));
  return [
    ...missing.map((name) => `${subject}: "${name}" is not documented`),
    ...stale.map((name) => `${subject}: "${name}" does not exist`),
  ];
}

/**
 * Returns what is wrong with the packages of an npm lock file: without `integrity` npm installs whatever bytes it
 * gets, and an address ties the lock file to one registry.
 */
export function lockFileProblems(text: string): string[] {
  const { packages = {} } = JSON.parse(text) as {
    readonly packages?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry['link'] === true) return [];
    const { integrity, resolved } = entry;
    return [
      ...(typeof integrity === 'string' && /^sha512-\S+$/.test(integrity)
        ? []
        : [`${path}: no sha512 integrity`]),
      ...(typeof resolved === 'string' ? [`${path}: has a download address`] : []),
    ];
  });
}
