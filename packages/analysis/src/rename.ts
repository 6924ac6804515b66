import { isValidIdentifier } from '@terrane/hcl';
import { type Changes, ChangeSet } from './edits.ts';
import { baseName } from './paths.ts';
import type { FoundOccurrence, ProjectModel, SymbolTarget } from './project-model.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Span } from './symbol.ts';
import { spanOf } from './symbol-syntax.ts';

/** The name that a rename replaces, or the reason why it cannot be renamed. */
export type RenameSubject =
  | { readonly span: Span; readonly name: string; readonly target: SymbolTarget }
  | { readonly problem: string };

/** Returns the symbol at an offset that can be renamed; undefined if there is no symbol. */
export function renameSubject(
  project: ProjectModel,
  document: SourceDocument,
  offset: number,
): RenameSubject | undefined {
  const occurrence = project.occurrenceAt(document, offset);
  if (occurrence === undefined) return undefined;
  const target = project.targetOf(document, occurrence);
  if (target === undefined)
    return { problem: 'The module that declares this name is not installed. Run init first.' };
  const declarations = project.declarationsOf(target);
  if (declarations.length === 0)
    return { problem: `${target.key} is not declared, so it cannot be renamed.` };
  if (declarations.some(({ document: { path } }) => path.includes('/.terraform/')))
    return {
      problem: `${target.key} belongs to an installed module, whose files must not be changed.`,
    };
  if (target.key.startsWith('provider.') && target.key.split('.').length === 2)
    return { problem: 'The local name of a provider cannot be renamed; only aliases can.' };
  const name = document.text.slice(occurrence.span.start, occurrence.span.end);
  return { span: occurrence.span, name, target };
}

/**
 * Returns the changes that rename a symbol everywhere: in its module, in tests and variable files, and in modules that
 * call it. For managed resources and module calls, a `moved` block keeps the objects. Existing `moved` blocks are
 * kept, except those that move objects away from the new name.
 */
export function renameChanges(
  project: ProjectModel,
  target: SymbolTarget,
  newName: string,
): { readonly changes: Changes } | { readonly problem: string } {
  if (!isValidIdentifier(newName))
    return {
      problem: `${JSON.stringify(newName)} is not a valid name. A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.`,
    };
  const declarations = project.declarationsOf(target);
  const [firstDeclaration] = declarations;
  if (firstDeclaration === undefined) return { problem: `${target.key} is not declared.` };
  const newKey = `${target.key.slice(0, target.key.lastIndexOf('.') + 1)}${newName}`;
  if (newKey === target.key) return { changes: new Map() };
  if (project.declarationsOf({ directory: target.directory, key: newKey }).length > 0)
    return { problem: `${newKey} is already declared in this module. Choose another name.` };
  const { kind } = firstDeclaration.declaration;
  const occurrences = project.occurrencesOf(target);
  const isMoved = kind === 'resource' || kind === 'module';
  const conflictingMove = isMoved ? occurrences.find(isWholeMoveFrom) : undefined;
  if (conflictingMove !== undefined)
    return {
      problem: `A moved block already moves objects away from ${target.key} (in ${baseName(conflictingMove.document.path)}). Apply it everywhere and remove it before renaming.`,
    };
  const wholeCall = kind === 'output' ? project.wholeCallsOf(target.directory)[0] : undefined;
  if (wholeCall !== undefined) {
    const { line } = wholeCall.document.source.position(wholeCall.occurrence.span.start);
    return {
      problem: `${wholeCall.occurrence.key} is used as a value in ${baseName(wholeCall.document.path)}, line ${line}, so references to ${target.key} cannot be found. Refer to outputs by name there first.`,
    };
  }
  const set = new ChangeSet();
  for (const { document, occurrence } of occurrences) {
    const { refactoring, span } = occurrence;
    // `moved` and `removed` blocks refer to former addresses, so they keep the name. An `import` block is renamed.
    if (refactoring !== undefined && refactoring !== 'import') continue;
    set.add(document.path, span.start, span.end, newName);
  }
  if (isMoved) {
    removeMovesFrom(project, { directory: target.directory, key: newKey }, set);
    addMove(project, firstDeclaration.document, firstDeclaration.declaration, newKey, set);
  }
  return { changes: set.finish(project) };
}

/** A `moved` block from the symbol itself, not from an object inside it. */
function isWholeMoveFrom({ document, occurrence }: FoundOccurrence): boolean {
  return (
    occurrence.refactoring === 'moved-from' &&
    occurrence.via === '' &&
    document.text.slice(occurrence.extent.start, occurrence.extent.end) === occurrence.key
  );
}

/** Removes the `moved` blocks that move objects away from the new name. */
function removeMovesFrom(project: ProjectModel, target: SymbolTarget, set: ChangeSet): void {
  for (const { document, occurrence } of project.occurrencesOf(target)) {
    if (occurrence.refactoring !== 'moved-from' || occurrence.via !== '') continue;
    const block = document.native?.blocks.find(
      ({ type, range }) =>
        type === 'moved' &&
        range.start <= occurrence.span.start &&
        occurrence.span.end <= range.end,
    );
    if (block === undefined) continue;
    const { start, end } = wholeLines(document.text, spanOf(block.range));
    set.add(document.path, start, end, '');
  }
}

/** Extends a block to whole lines, with one of the empty lines around it. */
export function wholeLines(text: string, { start, end }: Span): Span {
  let from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  let to = lineEnd < 0 ? text.length : lineEnd + 1;
  const after = /^[ \t]*\r?\n/.exec(text.slice(to));
  if (after !== null) to += after[0].length;
  else if (to === text.length) {
    const before = /\n[ \t]*\r?\n$/.exec(text.slice(0, from));
    if (before !== null) from -= before[0].length - 1;
  }
  return { start: from, end: to };
}

function addMove(
  project: ProjectModel,
  document: SourceDocument,
  { key, block }: Declaration,
  newKey: string,
  set: ChangeSet,
): void {
  const moved = `moved {\n  from = ${key}\n  to   = ${newKey}\n}`;
  if (block === undefined) {
    // A file in JSON syntax; the block goes into a file of its own.
    set.append(project, `${document.directory}/moved.tf`, moved);
    return;
  }
  const { end } = spanOf(block.range);
  const lineEnd = document.text.indexOf('\n', end);
  const at = lineEnd < 0 ? document.text.length : lineEnd;
  set.add(document.path, at, at, `\n\n${moved}`);
}
