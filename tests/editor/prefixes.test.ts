import {
  codeActionsAt,
  completionsAt,
  documentLinks,
  foldsOf,
  hoverAt,
  outlineOf,
  plainContext,
  ProjectModel,
  renameSubject,
  selectionsAt,
  semanticTokens,
  signatureAt,
} from '@terrane/analysis';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { sampledFiles, seededNumbers, suiteFiles } from './sample-files.ts';

/** The time that all queries for one prefix may take, of the processor. */
const LIMIT_MS = 50;
const PREFIXES = 40;

/** Opens a text and asks everything at its end, as an editor does after each key. */
function askEverything(text: string, name: string): void {
  const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
  const path = `/m/${name}`;
  project.setText(path, text);
  const document = project.document(path);
  if (document === undefined) return;
  const context = plainContext(project);
  const end = text.length;
  completionsAt(context, document, end);
  hoverAt(context, document, end);
  signatureAt(context, document, end);
  semanticTokens(document);
  outlineOf(document);
  foldsOf(document);
  selectionsAt(document, end);
  documentLinks(context, document);
  renameSubject(project, document, end);
  codeActionsAt(context, document, { start: end, end }, []);
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

it('answers at every prefix of files without an exception, and fast', () => {
  const next = seededNumbers(20);
  const slow: string[] = [];
  const files = sampledFiles(60, 3, '.tf', '.tftest.hcl', '.tfvars', '.tf.json', '.tofu');
  for (const { path, text } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (let i = 0; i < PREFIXES; i++) {
      const prefix = text.slice(0, next(text.length + 1));
      const measure = (): number => cpuMs(() => askEverything(prefix, name));
      // A first measurement includes compilation and garbage of others.
      if (measure() > LIMIT_MS && measure() > LIMIT_MS && measure() > LIMIT_MS)
        slow.push(`${path} at ${prefix.length}`);
    }
  }
  expect(files.length).toBeGreaterThan(30);
  expect(slow).toEqual([]);
});

it('answers at a prefix of every file without an exception', () => {
  const next = seededNumbers(21);
  const files = suiteFiles('.tf', '.hcl', '.tfvars', '.tf.json', '.tofu', '.tftpl', '.tfvars.json');
  for (const path of files) {
    const text = readFileSync(path, 'utf8');
    askEverything(text.slice(0, next(text.length + 1)), path.slice(path.lastIndexOf('/') + 1));
  }
  expect(files.length).toBeGreaterThan(1000);
});
