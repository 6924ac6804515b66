/**
 * Parses a configuration file of the AWS tools: sections of names and values. Nested values and comments are ignored.
 */
export function parseIni(text: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const section = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (section !== undefined) {
      const name = section.replace(/\s+/g, ' ');
      current = sections.get(name) ?? new Map();
      sections.set(name, current);
      continue;
    }
    const pair = /^([^\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (pair !== null) current?.set((pair[1] ?? '').toLowerCase(), pair[2] ?? '');
  }
  return sections;
}
