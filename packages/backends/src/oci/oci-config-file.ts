/**
 * Parses a profile of the configuration file of Oracle's tools, by names in lower case; `undefined` if it is absent.
 */
export function ociProfile(text: string, profile: string): ReadonlyMap<string, string> | undefined {
  let entries: Map<string, string> | undefined;
  for (const line of text.split('\n')) {
    const [, section] = /^\[(.*)\]/.exec(line) ?? [];
    if (section !== undefined) {
      if (entries !== undefined) break;
      if (section === profile) entries = new Map();
      continue;
    }
    const at = line.indexOf('=');
    if (entries === undefined || at < 0) continue;
    const name = line.slice(0, at).trim().toLowerCase();
    entries.set(name === 'passphrase' ? 'pass_phrase' : name, line.slice(at + 1).trim());
  }
  return entries;
}
