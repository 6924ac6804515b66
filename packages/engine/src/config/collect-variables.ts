import { cleanPath } from '@terrane/addresses';
import { compareText, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { Source, errorDiagnostic, hasErrors, parseJsonSyntax, parseNative } from '@terrane/hcl';
import type { Body, Diagnostic, Expression, Range } from '@terrane/hcl';
import { userErrorText, fileError, type Host } from '@terrane/host';
import type { Configuration } from './model.ts';

/** An input value of a root variable, before it is compared with the declaration. */
export interface InputValue {
  readonly source: 'env' | 'autoFile' | 'file' | 'cli' | 'input' | 'plan' | 'caller';
  /** not parsed: how depends on the variable's type */
  readonly text?: string;
  readonly expression?: Expression;
  readonly value?: Value;
  readonly range?: Range;
  /** file or environment variable */
  readonly sourceName?: string;
}

/** A `-var` or `-var-file` option, or a value from a calling program; later ones win. */
export type VariableOption =
  | { readonly kind: 'var' | 'file'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string; readonly value: Value };

const ENVIRONMENT_PREFIX = 'TF_VAR_';
const DEFAULT_FILE = 'terraform.tfvars';

/**
 * Gathers values for root variables: `TF_VAR_…`, `terraform.tfvars`, `terraform.tfvars.json`, `*.auto.tfvars`
 * and `*.auto.tfvars.json` in the order of their names, then the options. Later ones win.
 */
export function collectVariables(
  host: Pick<Host, 'files' | 'environment'>,
  directory: string,
  options: readonly VariableOption[],
  _configuration?: Configuration,
): {
  readonly values: ReadonlyMap<string, InputValue>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const values = new Map<string, InputValue>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, text] of host.environment.entries()) {
    if (!name.startsWith(ENVIRONMENT_PREFIX)) continue;
    const variable = name.slice(ENVIRONMENT_PREFIX.length);
    values.set(variable, { source: 'env', text, sourceName: name });
  }
  for (const file of automaticFiles(host, directory)) {
    addFile(host, file, 'autoFile', values, diagnostics);
  }
  for (const option of options) {
    if (option.kind === 'value') values.set(option.name, { source: 'caller', value: option.value });
    else if (option.kind === 'file') addFile(host, option.text, 'file', values, diagnostics);
    else addOption(option.text, values, diagnostics);
  }
  return { values, diagnostics };
}

/** Returns the variables in the files of a test directory. */
export function collectTestVariables(
  host: Pick<Host, 'files'>,
  directory: string,
): ReturnType<typeof collectVariables> {
  const values = new Map<string, InputValue>();
  const diagnostics: Diagnostic[] = [];
  for (const file of automaticFiles(host, directory)) {
    addFile(host, file, 'autoFile', values, diagnostics);
  }
  return { values, diagnostics };
}

function automaticFiles(host: Pick<Host, 'files'>, directory: string): string[] {
  let names: string[];
  try {
    names = host.files
      .readDirectorySync(directory)
      .map((entry) => entry.name)
      .sort(compareText);
  } catch {
    return [];
  }
  const defaults = [DEFAULT_FILE, `${DEFAULT_FILE}.json`].filter((name) => names.includes(name));
  const automatic = names.filter(
    (name) => name.endsWith('.auto.tfvars') || name.endsWith('.auto.tfvars.json'),
  );
  return [...defaults, ...automatic].map((name) => cleanPath(`${directory}/${name}`));
}

function addOption(text: string, values: Map<string, InputValue>, diagnostics: Diagnostic[]): void {
  const summary = 'Invalid -var option';
  const at = text.indexOf('=');
  if (at === -1) {
    diagnostics.push(
      errorDiagnostic(
        summary,
        `The given -var option ${quoteText(text)} is not correctly specified. Must be a variable name and value separated by an equals sign, like -var="key=value".`,
      ),
    );
    return;
  }
  const name = text.slice(0, at);
  const value = text.slice(at + 1);
  if (name.endsWith(' ')) {
    const suggested = `${name.slice(0, -1)}=${value.startsWith(' ') ? value.slice(1) : value}`;
    diagnostics.push(
      errorDiagnostic(
        summary,
        `Variable name ${quoteText(name)} is invalid due to trailing space. Did you mean -var="${suggested}"?`,
      ),
    );
    return;
  }
  values.set(name, { source: 'cli', text: value });
}

function addFile(
  host: Pick<Host, 'files'>,
  file: string,
  source: 'autoFile' | 'file',
  values: Map<string, InputValue>,
  diagnostics: Diagnostic[],
): void {
  const text = readSource(host, file, diagnostics);
  if (text === undefined) return;
  const problems: Diagnostic[] = [];
  const parsed = file.endsWith('.json') ? parseJsonSyntax(text) : parseNative(text);
  problems.push(...parsed.diagnostics);
  checkNoDeclarations(parsed.body, problems);
  diagnostics.push(...problems);
  if (hasErrors(problems)) return;
  const { attributes, diagnostics: attributeProblems } = parsed.body.justAttributes();
  diagnostics.push(...attributeProblems);
  for (const [name, { expression }] of attributes) {
    values.set(name, { source, expression, range: expression.range, sourceName: file });
  }
}

function readSource(
  host: Pick<Host, 'files'>,
  file: string,
  diagnostics: Diagnostic[],
): Source | undefined {
  const summary = 'Failed to read variables file';
  try {
    return Source.fromBytes(file, host.files.readFileSync(file));
  } catch (error) {
    const reason = userErrorText(error, file);
    const isGone = fileError(error)?.code !== 'ENOTDIR' && host.files.statSync(file) === undefined;
    const detail = isGone
      ? `Given variables file ${file} does not exist.`
      : `Error while reading ${file}: ${reason}.`;
    diagnostics.push(errorDiagnostic(summary, detail));
    return undefined;
  }
}

function checkNoDeclarations(body: Body, diagnostics: Diagnostic[]): void {
  const { content } = body.partialContent({
    attributes: [],
    blocks: [{ type: 'variable', labelNames: ['name'] }],
  });
  for (const block of content.blocks) {
    const name = block.labels[0] ?? '';
    diagnostics.push(
      errorDiagnostic(
        'Variable declaration in .tfvars file',
        `A .tfvars file is used to assign values to variables that have already been declared in .tf files, not to declare new variables. To declare variable ${quoteText(name)}, place this block in one of your .tf files, such as variables.tf.\n\nTo set a value for this variable in ${block.typeRange.filename}, use the definition syntax instead:\n    ${name} = <value>`,
        block.typeRange,
      ),
    );
  }
}
