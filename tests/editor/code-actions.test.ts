import { applyTextChanges, codeActionsAt, plainContext, ProjectModel } from '@terrane/analysis';
import {
  formatSource,
  hasErrors,
  parseJsonSyntax,
  parseNative,
  Source,
  walkHcl,
} from '@terrane/hcl';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { sampledFiles, seededNumbers } from './sample-files.ts';

/** Spans that a user may select: every expression, and every identifier. */
function selectionsIn(text: string): { start: number; end: number }[] {
  const { body } = parseNative(new Source('main.tf', text));
  const spans: { start: number; end: number }[] = [];
  if (!('attributes' in body)) return spans;
  walkHcl(body as Parameters<typeof walkHcl>[0], {
    block: ({ typeRange, labelRanges }) => {
      for (const { start, end } of [typeRange, ...labelRanges])
        spans.push({ start: start + 1, end: start + 1 }, { start, end });
    },
    attribute: ({ nameRange: { start } }) => void spans.push({ start, end: start }),
    expression: ({ range: { start, end } }) =>
      void spans.push({ start, end }, { start, end: start }),
  });
  return spans;
}

it('leaves files that parse and are in canonical style', () => {
  const next = seededNumbers(7);
  const titles = new Map<string, number>();
  const broken: string[] = [];
  for (const { path, text: original } of sampledFiles(120, 11, '.tf')) {
    const text = formatSource(original);
    if (hasErrors(parseNative(new Source(path, text)).diagnostics)) continue;
    const selections = selectionsIn(text);
    for (let i = 0; i < 25 && selections.length > 0; i++) {
      const [selection = { start: 0, end: 0 }] = selections.splice(next(selections.length), 1);
      const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
      project.setText('/m/main.tf', text);
      const document = project.document('/m/main.tf');
      if (document === undefined) continue;
      for (const { title, changes } of codeActionsAt(
        plainContext(project),
        document,
        selection,
        [],
      )) {
        const kind = title.replace(/(?:var|local)\..*/, '');
        titles.set(kind, (titles.get(kind) ?? 0) + 1);
        for (const [file, own] of changes) {
          const changed = applyTextChanges(project.document(file)?.text ?? '', own);
          const isSound = !hasErrors(parseNative(new Source(file, changed)).diagnostics);
          if (!isSound || formatSource(changed) !== changed)
            broken.push(`${title} in ${path} at ${selection.start}-${selection.end}`);
        }
      }
    }
  }
  expect(broken).toEqual([]);
  expect([...titles.keys()].sort()).toEqual(
    expect.arrayContaining(['Add required arguments', 'Extract to ', 'Remove unused ']),
  );
});

it('leaves JSON files that parse, with the same tokens as before and what was added', () => {
  const next = seededNumbers(9);
  const titles = new Set<string>();
  const broken: string[] = [];
  for (const { path, text } of sampledFiles(80, 13, '.tf.json')) {
    if (hasErrors(parseHclJsonFile(path, text))) continue;
    for (let i = 0; i < 40; i++) {
      // Values and keys are selected, and offsets anywhere.
      const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"|\d+|true|false/g)];
      const match = strings[next(strings.length)];
      const start = match?.index ?? next(text.length);
      const end = next(3) === 0 ? start : start + (match?.[0].length ?? 0);
      const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
      project.setText('/m/main.tf.json', text);
      const document = project.document('/m/main.tf.json');
      if (document === undefined) continue;
      const selection = {
        start: end === start ? start + 1 : start,
        end: end === start ? start + 1 : end,
      };
      for (const { title, changes } of codeActionsAt(
        plainContext(project),
        document,
        selection,
        [],
      )) {
        titles.add(title.replace(/(?:var|local)\..*/, ''));
        for (const [file, own] of changes) {
          const changed = applyTextChanges(project.document(file)?.text ?? '', own);
          if (hasErrors(parseHclJsonFile(file, changed)))
            broken.push(`${title} in ${path} at ${selection.start}-${selection.end}`);
        }
      }
    }
  }
  expect(broken).toEqual([]);
  expect([...titles]).toEqual(expect.arrayContaining(['Extract to ', 'Remove unused ']));
});

function parseHclJsonFile(path: string, text: string) {
  const { diagnostics } = parseJsonSyntax(new Source(path, text, { json: true }));
  return diagnostics;
}
