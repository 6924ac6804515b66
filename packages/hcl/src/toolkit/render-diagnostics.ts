import { diagnosticSnippet, type Snippet } from '../diagnostic/snippet.ts';
import type { Diagnostic } from '../model.ts';
import { countClusters } from '../source/graphemes.ts';

/** Diagnostics as plain text, one after the other with an empty line between; see {@link renderDiagnostic}. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(renderDiagnostic).join('\n');
}

/**
 * Renders a diagnostic as plain text for a terminal or a log, without colors: summary, source code with an underline,
 * the values of its references, and the detail. Ends with a newline. Sensitive values are never shown.
 */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { severity, summary, detail, subject } = diagnostic;
  const lines = [`${severity === 'error' ? 'Error' : 'Warning'}: ${summary}`, ''];
  if (subject !== undefined) {
    const { line, column } = subject.from;
    const snippet = diagnosticSnippet(diagnostic);
    const context = snippet?.context === undefined ? '' : `, in ${snippet.context}`;
    const file = subject.filename === '' ? '' : `${subject.filename} `;
    lines.push(`  on ${file}line ${line}, column ${column}${context}:`);
    if (snippet !== undefined) lines.push(...codeLines(snippet));
    lines.push('');
  }
  if (detail !== '') lines.push(detail, '');
  return lines.join('\n');
}

function codeLines(snippet: Snippet): string[] {
  const { code, startLine, highlightStart, highlightEnd } = snippet;
  const result: string[] = [];
  let offset = 0;
  let number = startLine;
  for (const line of code.split('\n')) {
    const prefix = `${String(number).padStart(4)}: `;
    result.push(`${prefix}${line}`);
    const from = Math.max(highlightStart - offset, 0);
    const to = Math.min(highlightEnd - offset, line.length);
    if (from < to || (from === to && from === line.length && highlightStart === offset + from)) {
      // Preserve tabs, so that the marker is aligned at any tab width.
      const before = line
        .slice(0, from)
        .replace(/[^\t]+/g, (run) => ' '.repeat(countClusters(run)));
      const width = Math.max(1, countClusters(line.slice(from, to)));
      result.push(`${' '.repeat(prefix.length)}${before}${'^'.repeat(width)}`);
    }
    offset += line.length + 1;
    number++;
  }
  for (const { traversal, statement } of snippet.values) {
    result.push(`      ${traversal} ${statement}`);
  }
  return result;
}
