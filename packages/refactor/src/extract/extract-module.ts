import type { Configuration } from '@terrane/engine';
import {
  type BlockEditor,
  type BodyEditor,
  type Diagnostic,
  editHcl,
  errorDiagnostic,
  expression,
  formatSource,
  hasErrors,
  isValidIdentifier,
} from '@terrane/hcl';
import type { Outcome, Project, RunPorts } from '@terrane/ops';
import { type FileChange, keepFormatted, keepsFormat } from '../file-change.ts';
import { Names } from '../names.ts';
import { emptyBaseline, emptyPlanProblem, planTrial, type RefactorOptions } from '../prove.ts';
import {
  type Item,
  readRoot,
  type Reference,
  type Replacement,
  replaceParts,
  type RootSource,
} from '../root-source.ts';

/** The resources to extract, and the module that they become. */
export interface ExtractRequest {
  /** addresses of resources and data sources of the root module */
  readonly addresses: readonly string[];
  /** the name of the module call */
  readonly name: string;
  /** the directory of the module, relative to the working directory; it must have no configuration */
  readonly directory: string;
}

/** A verified extraction. */
export interface Extraction {
  readonly changes: readonly FileChange[];
  readonly variables: readonly string[];
  readonly outputs: readonly string[];
  /** the `moved` blocks */
  readonly moves: readonly { readonly from: string; readonly to: string }[];
}

/**
 * Extracts resources of the root module into a module of its own, with variables, outputs, the call and `moved`
 * blocks, and verifies that the plan afterwards is empty. Writes nothing.
 */
export async function extractModule(
  project: Project,
  request: ExtractRequest,
  options: RefactorOptions,
  ports: RunPorts,
): Promise<Outcome<Extraction>> {
  const problem = await requestProblem(project, request);
  if (problem !== undefined) return { diagnostics: [problem] };
  const baseline = await emptyBaseline(project, options, ports);
  if (baseline.result === undefined) return { diagnostics: baseline.diagnostics };
  const root = await readRoot(project.host.files);
  if (root.result === undefined) return { diagnostics: root.diagnostics };
  const { configuration } = baseline.result;
  const drafted = new Draft(root.result, configuration, request).make();
  if (drafted.result === undefined) return drafted;
  const { changes } = drafted.result;
  const files = new Map(changes.map(({ path, after }) => [path, after]));
  const trial = await planTrial(project, options, ports, { files });
  if (trial.result === undefined) return { diagnostics: trial.diagnostics };
  const notEmpty = emptyPlanProblem(
    trial.result,
    'Extraction changes the plan',
    'The plan after the extraction is not empty, so nothing was written. It would do:',
  );
  if (notEmpty !== undefined) return { diagnostics: [notEmpty] };
  return { result: drafted.result, diagnostics: trial.diagnostics };
}

async function requestProblem(
  { host }: Project,
  { addresses, name, directory }: ExtractRequest,
): Promise<Diagnostic | undefined> {
  if (!isValidIdentifier(name)) {
    return errorDiagnostic(
      'Invalid module name',
      `${JSON.stringify(name)} is not a valid name for a module call. Choose a name of letters, digits, underscores and hyphens with -name.`,
    );
  }
  if (addresses.length === 0) {
    return errorDiagnostic(
      'No resources given',
      'Give the addresses of the resources to extract, such as aws_vpc.main or data.aws_ami.web.',
    );
  }
  const isInside = !/^(?:\/|[A-Za-z]:|\.\.(?:\/|$))/.test(directory) && directory !== '.';
  if (!isInside || directory.split('/').includes('..')) {
    return errorDiagnostic(
      'Invalid module directory',
      `The directory ${JSON.stringify(directory)} must be below the working directory, such as "modules/network".`,
    );
  }
  const { files } = host;
  const stat = await files.stat(directory);
  const names =
    stat?.kind === 'directory'
      ? (await files.readDirectory(directory)).map((each) => each.name)
      : [];
  if (
    (stat !== undefined && stat.kind !== 'directory') ||
    names.some((each) => /\.(?:tf|tofu)(?:\.json)?$/.test(each))
  ) {
    return errorDiagnostic(
      'Module directory in use',
      `The directory ${directory} already contains configuration. Choose another one with -to.`,
    );
  }
  return undefined;
}

/** Drafts the texts of an extraction. */
class Draft {
  readonly #root: RootSource;
  readonly #configuration: Configuration;
  readonly #request: ExtractRequest;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #variables: Names = new Names();
  readonly #outputs: Names = new Names();
  readonly #replacements: Replacement[] = [];
  /** dependencies of extracted resources on others, which the call takes over */
  readonly #dependsOn: Set<string> = new Set();
  /** subjects of references that became variables, by text of the reference */
  readonly #subjects: Map<string, string> = new Map();

  constructor(root: RootSource, configuration: Configuration, request: ExtractRequest) {
    this.#root = root;
    this.#configuration = configuration;
    this.#request = request;
  }

  make(): Outcome<Extraction> {
    const { addresses, name } = this.#request;
    const requestedAddresses = new Set(addresses);
    const extracted = this.#root.items.filter(
      ({ subject, block }) =>
        requestedAddresses.has(subject) && (block.type === 'resource' || block.type === 'data'),
    );
    for (const address of requestedAddresses) {
      if (!extracted.some(({ subject }) => subject === address)) {
        this.#diagnostics.push(
          errorDiagnostic(
            'Resource not found',
            `The root module has no resource or data source ${address}. Addresses are those of blocks, without keys, such as aws_vpc.main.`,
          ),
        );
      }
    }
    if (this.#configuration.root.calls.has(name)) {
      this.#diagnostics.push(
        errorDiagnostic(
          'Module name in use',
          `The root module already calls a module ${JSON.stringify(name)}. Choose another name with -name.`,
        ),
      );
    }
    for (const item of this.#root.items) {
      if (requestedAddresses.has(item.subject)) this.#inside(item, requestedAddresses);
      else this.#outside(item, requestedAddresses);
    }
    if (hasErrors(this.#diagnostics)) return { diagnostics: this.#diagnostics };
    return { result: this.#texts(extracted), diagnostics: [] };
  }

  #replace({ range }: Reference, file: string, text: string): void {
    this.#replacements.push({ file, range, text });
  }

  /** Replaces references of an extracted block to blocks outside of the module. */
  #inside(item: Item, wanted: ReadonlySet<string>): void {
    for (const reference of item.references) {
      const { subject, use, text, range } = reference;
      if (wanted.has(subject)) continue;
      if (text === 'path.module') {
        // In the root module both are the same directory.
        this.#replace(reference, item.file, 'path.root');
        continue;
      }
      if (subject === '') continue;
      if (use === 'depends_on') {
        this.#dependsOn.add(text);
        continue;
      }
      if (use === 'replace_triggered_by' || subject.startsWith('action.')) {
        this.#diagnostics.push(
          errorDiagnostic(
            'Reference cannot be extracted',
            `${item.subject} refers to ${text}, which stays in the root module, in an argument that only accepts references within a module. Extract ${subject}, too, or remove the reference.`,
            range,
          ),
        );
        continue;
      }
      this.#subjects.set(text, subject);
      this.#replace(reference, item.file, `var.${this.#variables.of(text)}`);
    }
  }

  /** Replaces references of other blocks to extracted ones. */
  #outside(item: Item, wanted: ReadonlySet<string>): void {
    const { name } = this.#request;
    for (const reference of item.references) {
      const { subject, use, text, range } = reference;
      if (!wanted.has(subject)) continue;
      if (use === 'depends_on') this.#replace(reference, item.file, `module.${name}`);
      else if (use === 'import') this.#replace(reference, item.file, `module.${name}.${text}`);
      else if (use === 'replace_triggered_by') {
        this.#diagnostics.push(
          errorDiagnostic(
            'Reference cannot be extracted',
            `${item.subject} is replaced with ${text}, and replace_triggered_by only accepts references within a module. Extract ${item.subject}, too, or remove the reference.`,
            range,
          ),
        );
      } else {
        this.#replace(reference, item.file, `module.${name}.${this.#outputs.of(text)}`);
      }
    }
  }

  #texts(extracted: readonly Item[]): Extraction {
    const { directory } = this.#request;
    const texts = replaceParts(this.#root.texts, this.#replacements);
    const editors = new Map<string, BodyEditor>();
    const editorOf = (file: string): BodyEditor => {
      const editor = editors.get(file) ?? editHcl(texts.get(file) ?? '');
      editors.set(file, editor);
      return editor;
    };
    const { main, moves } = this.#moveBlocks(extracted, editorOf);
    const mainText = `${this.#requirements(extracted)}${String(main)}`;
    const isFormatted = extracted.every(({ file }) => keepsFormat(this.#root.texts.get(file)));
    const changes: FileChange[] = [
      {
        path: `${directory}/main.tf`,
        before: undefined,
        after: isFormatted ? formatSource(mainText) : mainText,
      },
    ];
    const variables = this.#variableText();
    if (variables !== '') {
      changes.push({
        path: `${directory}/variables.tf`,
        before: undefined,
        after: formatSource(variables),
      });
    }
    const outputs = editHcl('');
    for (const [text, output] of this.#outputs.all) {
      outputs.addBlock('output', [output], { value: expression(text) });
    }
    if (this.#outputs.all.size > 0) {
      changes.push({
        path: `${directory}/outputs.tf`,
        before: undefined,
        after: formatSource(String(outputs)),
      });
    }
    for (const [path, before] of this.#root.texts) {
      const after = keepFormatted(before, String(editors.get(path) ?? texts.get(path) ?? before));
      if (after !== before) changes.push({ path, before, after });
    }
    return {
      changes,
      variables: [...this.#variables.all.values()],
      outputs: [...this.#outputs.all.values()],
      moves,
    };
  }

  /** Moves the blocks into the module's main file, and adds the call and `moved` blocks in their place. */
  #moveBlocks(
    extracted: readonly Item[],
    editorOf: (file: string) => BodyEditor,
  ): { readonly main: BodyEditor; readonly moves: Extraction['moves'] } {
    const main = editHcl('');
    const moves: { from: string; to: string }[] = [];
    let isCalled = false;
    for (const { file, block, subject } of extracted) {
      const editor = editorOf(file);
      const taken = editor.block(block.type, ...block.labels);
      if (taken === undefined) continue;
      if (!isCalled) {
        const [call] = editHcl(this.#callText()).blocks();
        if (call === undefined) continue;
        editor.take(call, { before: taken });
        isCalled = true;
        let previous: BlockEditor = call;
        for (const item of extracted) {
          if (item.block.type !== 'resource') continue;
          const from = item.subject;
          const to = `module.${this.#request.name}.${from}`;
          moves.push({ from, to });
          const addresses = { from: expression(from), to: expression(to) };
          previous = editor.addBlock('moved', [], addresses, { after: previous });
        }
      }
      this.#keepDependencies(taken.content, subject);
      main.take(taken);
    }
    return { main, moves };
  }

  /** The `module` block of the call. */
  #callText(): string {
    const { name, directory } = this.#request;
    const providers = this.#providers();
    const passed = providers.some((each) => each.includes('.'))
      ? `  providers = {\n${providers.map((each) => `    ${each} = ${each}\n`).join('')}  }\n`
      : '';
    const variables = [...this.#variables.all].map(([text, each]) => `  ${each} = ${text}\n`);
    const dependencies = [...this.#dependsOn].join(', ');
    const lines = [
      `  source = ${JSON.stringify(`./${directory}`)}\n`,
      passed,
      ...(variables.length === 0 ? [] : ['\n', ...variables]),
      dependencies === '' ? '' : `\n  depends_on = [${dependencies}]\n`,
    ];
    return formatSource(`module ${JSON.stringify(name)} {\n${lines.join('')}}\n`);
  }

  /** Removes dependencies from a block that the call has taken over. */
  #keepDependencies(content: BodyEditor, subject: string): void {
    const item = this.#root.items.find((each) => each.subject === subject);
    const dependencies = (item?.references ?? []).filter(({ use }) => use === 'depends_on');
    const remaining = dependencies.filter(({ text }) => !this.#dependsOn.has(text));
    if (remaining.length === dependencies.length) return;
    if (remaining.length === 0) content.remove('depends_on');
    else content.set('depends_on', expression(`[${remaining.map(({ text }) => text).join(', ')}]`));
  }

  /** The provider configurations that the module uses, as "aws" or "aws.west". */
  #providers(): readonly string[] {
    const used = new Set<string>();
    for (const address of this.#request.addresses) {
      const provider = this.#configuration.root.resources.get(address)?.providerLocal;
      if (provider === undefined) continue;
      used.add(provider.alias === undefined ? provider.name : `${provider.name}.${provider.alias}`);
    }
    return [...used].sort();
  }

  /** The `terraform` block of the module: sources of its providers, and configurations that the call passes. */
  #requirements(extracted: readonly Item[]): string {
    const used = new Map<string, string[]>();
    for (const each of this.#providers()) {
      const [local = '', alias] = each.split('.');
      const aliases = used.get(local) ?? [];
      if (alias !== undefined) aliases.push(`${local}.${alias}`);
      used.set(local, aliases);
    }
    for (const { block } of extracted) {
      const { range } = block;
      const text = range.source.text.slice(range.start, range.end);
      for (const [, local = ''] of text.matchAll(/\bprovider::([\w-]+)::/g)) {
        if (!used.has(local)) used.set(local, []);
      }
    }
    const declared = this.#configuration.root.requiredProviders;
    const entries = [...used].filter(
      ([local, aliases]) => declared.has(local) || aliases.length > 0,
    );
    if (entries.length === 0) return '';
    const file = editHcl('');
    const providers = file.addBlock('terraform').content.addBlock('required_providers').content;
    for (const [local, aliases] of entries) {
      const source = this.#configuration.root.providerSource(local);
      providers.set(local, {
        source: source.display,
        ...(aliases.length === 0
          ? {}
          : { configuration_aliases: expression(`[${aliases.join(', ')}]`) }),
      });
    }
    return `${String(file)}\n`;
  }

  #variableText(): string {
    const file = editHcl('');
    for (const [text, name] of this.#variables.all) {
      const subject = this.#subjects.get(text) ?? '';
      const declaration = this.#root.items.find(
        (each) => each.subject === subject && each.block.type === 'variable',
      );
      // A part of a variable has another type.
      const type = text === subject ? declaration?.block.body.attributes.get('type') : undefined;
      const declared = this.#configuration.root.variables.get(subject.replace('var.', ''));
      const { range } = type?.expression ?? {};
      file.addBlock('variable', [name], {
        ...(range === undefined
          ? {}
          : { type: expression(range.source.text.slice(range.start, range.end)) }),
        ...(declaration !== undefined && declared?.sensitive === true ? { sensitive: true } : {}),
        ...(subject.startsWith('ephemeral.') ||
        (declaration !== undefined && declared?.ephemeral === true)
          ? { ephemeral: true }
          : {}),
      });
    }
    return this.#variables.all.size === 0 ? '' : String(file);
  }
}
