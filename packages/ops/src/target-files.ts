import { parseTargetTraversal, type TargetAddr } from '@terrane/addresses';
import { fileError, type FileSystem, userErrorText } from '@terrane/host';
import { type Diagnostic, hasErrors, parseTraversal, Source } from '@terrane/hcl';
import { plainError } from './run-ports.ts';

/** The addresses in a target or exclude file. */
export interface TargetFile {
  readonly targets: readonly TargetAddr[];
  /** the addresses as written */
  readonly texts: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a file with one address per line, for the `targets` or `excludes` of a plan. Lines that start with `#` are
 * comments. As with OpenTofu's `-target-file` and `-exclude-file`, an empty line is an error.
 */
export async function readTargetFile(files: FileSystem, path: string): Promise<TargetFile> {
  let bytes: Uint8Array;
  try {
    bytes = await files.readFile(path);
  } catch (error) {
    return { targets: [], texts: [], diagnostics: [plainError(`open ${path}: ${whyNot(error)}`)] };
  }
  const container = Source.fromBytes(path, bytes);
  const targets: TargetAddr[] = [];
  const texts: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { text, offset } of linesOf(container.text)) {
    if (text.trimStart().startsWith('#')) continue;
    const { traversal, diagnostics: problems } = parseTraversal(
      new Source(path, text, { container, offset }),
    );
    diagnostics.push(...problems);
    if (traversal === undefined || hasErrors(problems)) continue;
    const parsed = parseTargetTraversal(traversal);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.target === undefined) continue;
    targets.push(parsed.target);
    texts.push(text.trim());
  }
  return { targets, texts, diagnostics };
}

function* linesOf(text: string): Iterable<{ readonly text: string; readonly offset: number }> {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    const line = text.slice(start, stop);
    yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, offset: start };
    start = stop + 1;
  }
}

function whyNot(error: unknown): string {
  return fileError(error)?.reason ?? userErrorText(error);
}
