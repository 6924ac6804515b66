import type { Syntax } from '../syntax.ts';
import {
  type Declaration,
  declarationsOf,
  exportsOf,
  importsOf,
  parseModule,
} from './declarations.ts';

/** A section of the page: the exports of modules, in their order. */
export interface ReferenceSection {
  readonly title: string;
  readonly modules: readonly string[];
}

/** Returns the sections of an index module: a title in a comment, and the modules that are exported below it. */
export function sectionsOfIndex(index: string): readonly ReferenceSection[] {
  const placed = new Set<string>();
  return index
    .split(/^\/\/ (?=[A-Z])/m)
    .map((part, position) => {
      const title = position === 0 ? 'General' : (part.split('\n', 1)[0] ?? '');
      const exported = Array.from(
        part.matchAll(/ from '\.\/([^']+)'/g),
        ([, module = '']) => module,
      );
      const modules = [...new Set(exported)].filter((module) => !placed.has(module));
      modules.forEach((module) => placed.add(module));
      return { title, modules };
    })
    .filter(({ modules }) => modules.length > 0);
}

/**
 * Returns the reference of the exports of an index module. Interfaces of options that they refer to follow them, even if
 * they are not exported.
 *
 * @throws Error if a module with exports is in no section, or an exported value has no doc comment
 */
export function referencePage(
  index: string,
  sections: readonly ReferenceSection[],
  read: (path: string) => string,
  head = '',
): string {
  const library = new Library(read);
  const exported = exportsOf(library.module(index));
  const placed = new Set(sections.flatMap(({ modules }) => modules));
  const missing = exported.find(({ module }) => !placed.has(module));
  if (missing !== undefined) {
    throw new Error(`${missing.module}, which declares ${missing.name}, is in no section`);
  }
  const shown = new Set(exported.map(({ name }) => name));
  const anchors = new Map<string, number>();
  const parts = sections.map(({ title, modules }) => {
    const entries = modules.flatMap((module) =>
      exported
        .filter((each) => each.module === module)
        .flatMap(({ name }) => library.withOptions(name, module, shown)),
    );
    const contents = entries
      .map(({ name }) => `[\`${name}\`](#${anchorOf(name, anchors)})`)
      .join(', ');
    return [`## ${title}\n\n${contents}\n`, ...entries.map(entryText)].join('\n');
  });
  return [head, ...parts].join('\n');
}

/** Returns the anchor of a heading. Names that differ in case only get a number, as on GitHub. */
function anchorOf(name: string, anchors: Map<string, number>): string {
  const base = name.toLowerCase();
  const earlier = anchors.get(base) ?? 0;
  anchors.set(base, earlier + 1);
  return earlier === 0 ? base : `${base}-${earlier}`;
}

class Library {
  readonly #read: (path: string) => string;
  readonly #modules = new Map<string, Syntax>();

  constructor(read: (path: string) => string) {
    this.#read = read;
  }

  module(path: string): Syntax {
    let module = this.#modules.get(path);
    if (module === undefined) {
      module = parseModule(path, this.#read(path));
      this.#modules.set(path, module);
    }
    return module;
  }

  /** Returns a declaration, and those of options that it refers to and that were not shown yet. */
  withOptions(name: string, path: string, shown: Set<string>): readonly Declaration[] {
    const module = this.module(path);
    const declaration = declarationsOf(module).get(name);
    if (declaration === undefined) throw new Error(`${path} does not declare ${name}`);
    if (
      declaration.comment === '' &&
      !/^(?:export )?(?:type|interface) /.test(declaration.signature)
    ) {
      throw new Error(`${name} in ${path} has no doc comment`);
    }
    const imports = importsOf(module);
    const options = declaration.references.flatMap((reference) => {
      if (!/Options$|^Define|^Offers$|Context$/.test(reference) || shown.has(reference)) return [];
      const from = imports.get(reference) ?? path;
      if (!declarationsOf(this.module(from)).has(reference)) return [];
      shown.add(reference);
      return this.withOptions(reference, from, shown);
    });
    return [declaration, ...options];
  }
}

function entryText({ name, signature, comment }: Declaration): string {
  const text = comment === '' ? '' : `${commentText(comment)}\n\n`;
  return `### \`${name}\`\n\n${text}\`\`\`ts\n${signature}\n\`\`\`\n`;
}

/** Formats the text of a doc comment as Markdown. */
function commentText(comment: string): string {
  return comment
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/^@param (\S+) /gm, '- `$1`: ')
    .replaceAll(/^@throws (\S+) ?/gm, '- throws `$1` ')
    .replaceAll(/^@returns? /gm, '- returns ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
