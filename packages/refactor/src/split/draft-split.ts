import type { Value } from '@terrane/cty';
import type { Configuration } from '@terrane/engine';
import {
  type BodyEditor,
  type Diagnostic,
  editHcl,
  errorDiagnostic,
  expression,
  formatSource,
  hasErrors,
  valueToHcl,
} from '@terrane/hcl';
import { pathsOf } from '@terrane/host';
import type { Outcome } from '@terrane/ops';
import { type FileChange, keepFormatted, keepsFormat } from '../file-change.ts';
import { Names } from '../names.ts';
import {
  type Item,
  type Reference,
  type Replacement,
  replaceParts,
  type RootSource,
} from '../root-source.ts';

/** The state file of a new root module. */
export const TARGET_STATE = 'terraform.tfstate';
/** The file with values that come from the other side. */
export const VALUES_FILE = 'split.auto.tfvars';

/** A value that one side needs of the other. */
export interface SplitValue {
  /** without marks, known */
  readonly value: Value;
  /** its type as an expression */
  readonly type: string;
  /** true if references to it are sensitive */
  readonly isSensitive: boolean;
  /** true if it is sensitive or a copy of a sensitive value, and therefore not written to a file */
  readonly isSecret: boolean;
}

/** A value of a variable that is not written to a file, because it is a secret. */
export interface UnsetVariable {
  readonly name: string;
  readonly value: Value;
}

/** The drafted texts of both sides. */
export interface SplitDraft {
  readonly targetFiles: readonly FileChange[];
  readonly sourceFiles: readonly FileChange[];
  /** outputs that move */
  readonly outputs: readonly string[];
  readonly target: { readonly unset: readonly UnsetVariable[] };
  readonly source: { readonly unset: readonly UnsetVariable[] };
}

/** The inputs of a draft that do not come from the configuration. */
export interface SplitPorts {
  /** evaluates references with the present state */
  readonly evaluate: (
    texts: readonly string[],
  ) => Promise<Outcome<ReadonlyMap<string, SplitValue>>>;
  /** values of variables that were set */
  readonly variableValues: ReadonlyMap<string, SplitValue>;
  readonly paths: { readonly cwd: string; readonly platform: Parameters<typeof pathsOf>[0] };
}

/** Drafts the configuration of both sides of a split. References between them become variables. */
export async function draftSplit(
  root: RootSource,
  configuration: Configuration,
  request: { readonly addresses: readonly string[]; readonly directory: string },
  ports: SplitPorts,
): Promise<Outcome<SplitDraft>> {
  const draft = new Draft(root, configuration, request, ports);
  return await draft.make();
}

/** One side of a split. */
class Side {
  readonly names: Names;
  readonly replacements: Replacement[] = [];

  constructor(declared: Iterable<string>) {
    this.names = new Names(declared);
  }
}

class Draft {
  readonly #root: RootSource;
  readonly #configuration: Configuration;
  readonly #wanted: ReadonlySet<string>;
  readonly #directory: string;
  readonly #ports: SplitPorts;
  readonly #bySubject: Map<string, Item> = new Map();
  readonly #diagnostics: Diagnostic[] = [];

  constructor(
    root: RootSource,
    configuration: Configuration,
    request: { readonly addresses: readonly string[]; readonly directory: string },
    ports: SplitPorts,
  ) {
    this.#root = root;
    this.#configuration = configuration;
    this.#wanted = new Set(request.addresses);
    this.#directory = request.directory;
    this.#ports = ports;
    for (const item of root.items) if (item.subject !== '') this.#bySubject.set(item.subject, item);
  }

  async make(): Promise<Outcome<SplitDraft>> {
    for (const address of this.#wanted) {
      const type = this.#bySubject.get(address)?.block.type;
      if (type !== 'resource' && type !== 'module') {
        this.#diagnostics.push(
          errorDiagnostic(
            'Address not found',
            `The root module has no resource or module call ${address}. Addresses are those of blocks, without keys, such as aws_vpc.main or module.network.`,
          ),
        );
      }
    }
    if (hasErrors(this.#diagnostics)) return { diagnostics: this.#diagnostics };
    const leaving = this.#root.items.filter((item) => this.#leaves(item));
    const copied = this.#closure(leaving);
    const leavingSet = new Set(leaving);
    const unused = this.#unusedLocals(leavingSet, copied);
    const target = new Side(
      [...copied].flatMap((each) =>
        each.block.type === 'variable' ? [each.subject.replace('var.', '')] : [],
      ),
    );
    const source = new Side(this.#configuration.root.variables.keys());
    for (const item of copied)
      this.#crossings(item, target, (each) => this.#isForeign(each, copied));
    const staying = this.#root.items.filter((item) => !leavingSet.has(item) && !unused.has(item));
    const isLeaving = ({ subject }: Reference): boolean => this.#wanted.has(subject);
    for (const item of staying) this.#crossings(item, source, isLeaving);
    if (hasErrors(this.#diagnostics)) return { diagnostics: this.#diagnostics };
    const texts = [...new Set([...target.names.all.keys(), ...source.names.all.keys()])];
    const values = await this.#ports.evaluate(texts);
    if (values.result === undefined) return { diagnostics: values.diagnostics };
    const outputs = leaving
      .filter(({ block }) => block.type === 'output')
      .map(({ subject }) => subject.replace('output.', ''));
    const targetSide = this.#targetFiles(copied, target, values.result);
    const sourceSide = this.#sourceFiles(leavingSet, unused, source, values.result);
    return {
      result: {
        targetFiles: targetSide.files,
        sourceFiles: sourceSide.files,
        outputs,
        target: { unset: targetSide.unset },
        source: { unset: sourceSide.unset },
      },
      diagnostics: [],
    };
  }

  /** Returns true for a block that moves: a selected one, its import, or an output that only refers to those. */
  #leaves(item: Item): boolean {
    if (this.#wanted.has(item.subject)) return true;
    if (item.block.type === 'import') {
      return item.references.some(
        ({ use, subject }) => use === 'import' && this.#wanted.has(subject),
      );
    }
    if (item.block.type !== 'output') return false;
    const objects = this.#objectsOf(item, new Set());
    return objects.size > 0 && [...objects].every((subject) => this.#wanted.has(subject));
  }

  /** Returns the resources and modules that an item refers to, also through local values. */
  #objectsOf(item: Item, seen: Set<Item>): Set<string> {
    const objects = new Set<string>();
    if (seen.has(item)) return objects;
    seen.add(item);
    for (const { subject } of item.references) {
      const referenced = this.#bySubject.get(subject);
      if (subject.startsWith('local.') && referenced !== undefined) {
        for (const each of this.#objectsOf(referenced, seen)) objects.add(each);
      } else if (!subject.startsWith('var.') && subject !== '') objects.add(subject);
    }
    return objects;
  }

  /** Returns the items of the new root module: those that move, and their dependencies. */
  #closure(leaving: readonly Item[]): ReadonlySet<Item> {
    const copied = new Set<Item>();
    const add = (item: Item | undefined): void => {
      if (item === undefined || copied.has(item)) return;
      copied.add(item);
      for (const reference of item.references) {
        if (this.#isCopied(reference.subject)) add(this.#bySubject.get(reference.subject));
      }
      for (const provider of this.#providersOf(item)) add(this.#bySubject.get(provider));
    };
    for (const item of leaving) add(item);
    return new Set(this.#root.items.filter((item) => copied.has(item)));
  }

  /** Returns true for declarations that both sides can have: everything but managed objects. */
  #isCopied(subject: string): boolean {
    return /^(?:var|local|data|ephemeral|action)\./.test(subject) || this.#wanted.has(subject);
  }

  #providersOf({ subject, block }: Item): readonly string[] {
    if (block.type === 'module') {
      return [...this.#bySubject.keys()].filter((each) => each.startsWith('provider.'));
    }
    const local = this.#configuration.root.resources.get(subject)?.providerLocal;
    if (local === undefined) return [];
    return [
      local.alias === undefined
        ? `provider.${local.name}`
        : `provider.${local.name}.${local.alias}`,
    ];
  }

  /** Returns true for a reference to something that the new root module does not have. */
  #isForeign({ subject }: Reference, copied: ReadonlySet<Item>): boolean {
    const item = this.#bySubject.get(subject);
    return item !== undefined && !copied.has(item);
  }

  /** Replaces the references of an item to the other side by variables. */
  #crossings(item: Item, side: Side, isOther: (reference: Reference) => boolean): void {
    for (const reference of item.references) {
      if (!isOther(reference)) continue;
      const { use, text, range, subject } = reference;
      if (use === 'depends_on') continue;
      if (use === 'replace_triggered_by' || subject.startsWith('action.')) {
        this.#diagnostics.push(
          errorDiagnostic(
            'Reference to the other side',
            `${item.subject} refers to ${text} in an argument that only accepts references within a module. Keep both on the same side, or remove the reference.`,
            range,
          ),
        );
        continue;
      }
      side.replacements.push({ file: item.file, range, text: `var.${side.names.of(text)}` });
    }
  }

  /** Returns local values that only blocks that move refer to. */
  #unusedLocals(leaving: ReadonlySet<Item>, copied: ReadonlySet<Item>): ReadonlySet<Item> {
    const used = new Set<Item>();
    const use = (item: Item): void => {
      for (const { subject } of item.references) {
        const local = this.#bySubject.get(subject);
        if (local?.attribute === undefined || used.has(local)) continue;
        used.add(local);
        use(local);
      }
    };
    for (const item of this.#root.items) {
      if (item.attribute === undefined && !leaving.has(item)) use(item);
    }
    return new Set([...copied].filter((item) => item.attribute !== undefined && !used.has(item)));
  }

  #targetFiles(
    copied: ReadonlySet<Item>,
    side: Side,
    values: ReadonlyMap<string, SplitValue>,
  ): { readonly files: readonly FileChange[]; readonly unset: readonly UnsetVariable[] } {
    const replacements = [...side.replacements, ...this.#modulePaths(copied)];
    const editors = editorsOf(replaceParts(this.#root.texts, replacements));
    const main = editHcl('');
    const variables = editHcl('');
    const settings: Record<string, string> = {};
    const unset: UnsetVariable[] = [];
    const requirements = this.#requirements();
    const locals = [...copied].filter(({ attribute }) => attribute !== undefined);
    for (const item of copied) {
      const { file, block, attribute, subject, references } = item;
      if (attribute !== undefined) continue;
      const index = this.#root.items
        .filter((each) => each.file === file && each.attribute === undefined)
        .indexOf(item);
      const taken = editors.blocks(file)[index];
      if (taken === undefined) continue;
      const dependencies = references.filter(({ use }) => use === 'depends_on');
      keepDependencies(
        taken.content,
        dependencies,
        dependencies.filter((each) => !this.#isForeign(each, copied)),
      );
      (block.type === 'variable' ? variables : main).take(taken);
      if (block.type !== 'variable') continue;
      const name = subject.replace('var.', '');
      const variableValue = this.#ports.variableValues.get(name);
      if (variableValue === undefined) continue;
      if (variableValue.isSecret) unset.push({ name, value: variableValue.value });
      else settings[name] = valueToHcl(variableValue.value);
    }
    this.#declare(side, values, variables, settings, unset);
    const texts: [string, string][] = [
      [
        'main.tf',
        [requirements, this.#localsText(locals, editors), String(main)]
          .filter((each) => each !== '')
          .join('\n'),
      ],
      ['variables.tf', String(variables)],
      [VALUES_FILE, settingsText(settings)],
    ];
    const isFormatted = [...copied].every(({ file }) => keepsFormat(this.#root.texts.get(file)));
    const files = texts
      .filter(([, text]) => text !== '')
      .map(([name, text]) => ({
        path: `${this.#directory}/${name}`,
        before: undefined,
        after: isFormatted ? formatSource(text) : text,
      }));
    return { files, unset };
  }

  #sourceFiles(
    leaving: ReadonlySet<Item>,
    unused: ReadonlySet<Item>,
    side: Side,
    values: ReadonlyMap<string, SplitValue>,
  ): { readonly files: readonly FileChange[]; readonly unset: readonly UnsetVariable[] } {
    const texts = replaceParts(this.#root.texts, side.replacements);
    const editors = editorsOf(texts);
    for (const file of this.#root.texts.keys()) {
      const items = this.#root.items.filter(
        (each) => each.file === file && each.attribute === undefined,
      );
      const blocks = editors.blocks(file);
      for (const [index, item] of items.entries()) {
        const block = blocks[index];
        if (block === undefined) continue;
        if (leaving.has(item)) block.remove();
        else {
          const dependencies = item.references.filter(({ use }) => use === 'depends_on');
          const remaining = dependencies.filter(({ subject }) => !this.#wanted.has(subject));
          keepDependencies(block.content, dependencies, remaining);
        }
      }
      for (const block of editors.of(file).blocks('locals')) {
        for (const attribute of block.content.attributes) {
          const item = this.#bySubject.get(`local.${attribute.name}`);
          if (item !== undefined && unused.has(item)) attribute.remove();
        }
        if (block.content.items.length === 0) block.remove();
      }
    }
    const settings: Record<string, string> = {};
    const unset: UnsetVariable[] = [];
    const variables = editHcl('');
    this.#declare(side, values, variables, settings, unset);
    const files: FileChange[] = [];
    for (const [path, before] of this.#root.texts) {
      const after = keepFormatted(before, String(editors.of(path)));
      if (after !== before) files.push({ path, before, after });
    }
    if (side.names.all.size > 0) {
      files.push({
        path: 'split_variables.tf',
        before: undefined,
        after: formatSource(String(variables)),
      });
      const text = settingsText(settings);
      if (text !== '')
        files.push({ path: VALUES_FILE, before: undefined, after: formatSource(text) });
    }
    return { files, unset };
  }

  /** Declares the variables for values of the other side. */
  #declare(
    side: Side,
    values: ReadonlyMap<string, SplitValue>,
    variables: BodyEditor,
    settings: Record<string, string>,
    unset: UnsetVariable[],
  ): void {
    for (const [text, name] of side.names.all) {
      const splitValue = values.get(text);
      if (splitValue === undefined) continue;
      const { value, type, isSensitive, isSecret } = splitValue;
      variables.addBlock('variable', [name], {
        description: `The value of ${text} when the state was split.`,
        ...(value.isNull ? {} : { type: expression(type) }),
        ...(isSensitive ? { sensitive: true } : {}),
      });
      if (isSecret) unset.push({ name, value });
      else settings[name] = valueToHcl(value);
    }
  }

  /** Local values of the new root module, in one block. */
  #localsText(locals: readonly Item[], editors: Editors): string {
    if (locals.length === 0) return '';
    const lines = locals.map(({ file, attribute }) => {
      const name = attribute?.name ?? '';
      const attributes = editors
        .of(file)
        .blocks('locals')
        .flatMap(({ content }) => content.attribute(name) ?? []);
      return `  ${name} = ${attributes[0]?.source ?? ''}\n`;
    });
    return `locals {\n${lines.join('')}}\n`;
  }

  /** The `terraform` block of the new root module: the requirements, without a backend. */
  #requirements(): string {
    const file = editHcl('');
    for (const [path, text] of this.#root.texts) {
      for (const block of editHcl(text, { filename: path }).blocks('terraform')) {
        for (const type of ['backend', 'cloud']) block.content.block(type)?.remove();
        if (block.content.items.length > 0) file.take(block);
      }
    }
    return String(file);
  }

  /** Adapts the paths of local modules to the other directory. */
  #modulePaths(copied: ReadonlySet<Item>): readonly Replacement[] {
    const { cwd, platform } = this.#ports.paths;
    const paths = pathsOf(platform);
    const target = paths.resolve(cwd, this.#directory);
    return [...copied].flatMap(({ file, block }) => {
      if (block.type !== 'module') return [];
      const source = block.body.attributes.get('source')?.expression;
      const call = this.#configuration.root.calls.get(block.labels[0] ?? '');
      if (source === undefined || call?.source?.kind !== 'local') return [];
      const relative = paths
        .relative(target, paths.resolve(cwd, call.sourceText))
        .replaceAll('\\', '/');
      const path = relative.startsWith('.') ? relative : `./${relative}`;
      return [{ file, range: source.range, text: JSON.stringify(path) }];
    });
  }
}

interface Editors {
  readonly of: (file: string) => BodyEditor;
  /** the blocks of a file other than `locals`, as they were at first */
  readonly blocks: (file: string) => readonly ReturnType<BodyEditor['blocks']>[number][];
}

function editorsOf(texts: ReadonlyMap<string, string>): Editors {
  const editors = new Map<string, BodyEditor>();
  const blocks = new Map<string, ReturnType<BodyEditor['blocks']>>();
  for (const [path, text] of texts) {
    const editor = editHcl(text);
    editors.set(path, editor);
    blocks.set(
      path,
      editor.blocks().filter(({ type }) => type !== 'locals'),
    );
  }
  return {
    of: (file) => editors.get(file) ?? editHcl(''),
    blocks: (file) => blocks.get(file) ?? [],
  };
}

function keepDependencies(
  content: BodyEditor,
  dependencies: readonly Reference[],
  kept: readonly Reference[],
): void {
  if (kept.length === dependencies.length) return;
  if (kept.length === 0) content.remove('depends_on');
  else content.set('depends_on', expression(`[${kept.map(({ text }) => text).join(', ')}]`));
}

function settingsText(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, text]) => `${name} = ${text}\n`)
    .join('');
}
