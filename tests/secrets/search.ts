// Searches for secrets in everything that a run leaves: its output, and every byte that it wrote.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EPHEMERAL, MARKERS, writings } from './markers.ts';

/** A place where a secret was found that must not be there. */
export type Finding = `${string} in ${string}`;

/** The secrets in a text that may have none. */
export function foundIn(where: string, text: string): Finding[] {
  return Object.entries(MARKERS)
    .filter(([, marker]) => writings(marker).some((each) => text.includes(each)))
    .map(([name]): Finding => `${name} in ${where}`);
}

// Files that have to contain secrets: states, their backups, journals and history, plans. Paths have slashes.
const HOLDS =
  /(?:^|\/)(?:errored\.tfstate|terraform\.tfstate(?:\.[^/]*)?|\.terraform\.tfstate\.journal[^/]*|\.terraform\.tfstate\.history\/.*|[^/]*\.tfplan)$/;

/** The secrets in the files below a directory that may not hold them, and files with secrets that others may read. */
export function foundBelow(directory: string, allowedNames: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  for (const path of filesBelow(directory)) {
    const name = relative(directory, path);
    if (allowedNames.includes(name)) continue;
    const text = textOf(readFileSync(path));
    const fileFindings = foundIn(name, text);
    if (!HOLDS.test(name.replaceAll('\\', '/'))) {
      findings.push(...fileFindings);
      continue;
    }
    findings.push(...fileFindings.filter((each) => EPHEMERAL.includes(markerOf(each))));
    const mode = lstatSync(path).mode & 0o777;
    if (fileFindings.length > 0 && mode !== 0o600)
      findings.push(`mode ${mode.toString(8)} in ${name}`);
  }
  return findings;
}

function markerOf(finding: Finding): string {
  const name = finding.slice(0, finding.indexOf(' '));
  return Object.entries(MARKERS).find(([each]) => each === name)?.[1] ?? '';
}

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
}

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

/** Returns the text of a file and of its compressed parts, in any single-byte encoding. */
function textOf(bytes: Buffer): string {
  const start = bytes.indexOf(GZIP);
  const inside = start < 0 ? '' : gunzipSync(bytes.subarray(start)).toString('latin1');
  return bytes.toString('latin1') + inside;
}
