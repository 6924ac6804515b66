import { applyTextChanges, codeActionsAt, plainContext, ProjectModel } from '@terrane/analysis';
import { formatSource, hasErrors, parseNative, Source, walkHcl } from '@terrane/hcl';
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
