import { friendlyNameForConstraint, type Type } from '@terrane/cty';
import type { AnalysisContext } from './analysis-context.ts';
import { scanTokens, Source } from '@terrane/hcl';
import { cursorContext, type Nesting } from './cursor-context.ts';
import { jsonCursor } from './json-cursor.ts';
import { ownProperty, SchemaLookup } from './schema-lookup.ts';
import type { SourceDocument } from './source-document.ts';

/** The signature of the function whose arguments are being typed. */
export interface Signature {
  readonly label: string;
  readonly documentation: string;
  readonly parameters: readonly { readonly label: string; readonly documentation: string }[];
  readonly activeParameter: number;
}

interface ShownParameter {
  readonly name: string;
  readonly type: Type;
  readonly description?: string | undefined;
}

/** Returns the signature of the innermost function call around an offset. */
export function signatureAt(
  context: AnalysisContext,
  document: SourceDocument,
  offset: number,
): Signature | undefined {
  // At the end of a function's name, the call that begins there is meant.
  const isBefore = /[\w-]\($/.test(document.text.slice(Math.max(0, offset - 1), offset + 1));
  const nesting = nestingAt(document, isBefore ? offset + 1 : offset);
  const call = nesting.findLast(({ kind }) => kind === 'call');
  if (call?.kind !== 'call') return undefined;
  const plain = call.name.replace(/^core::/, '');
  const existing = context.functions.find(({ name }) => name === plain);
  if (existing !== undefined)
    return signature(
      call.name,
      existing.parameters,
      existing.variadic,
      existing.returns,
      existing.description,
      call.argument,
    );
  const [namespace, provider = '', name = ''] = call.name.split('::');
  if (namespace !== 'provider') return undefined;
  const directory = context.project.moduleDirectoryOf(document);
  const lookup = new SchemaLookup(context.project, directory, context.schemas(directory));
  const provided = ownProperty(lookup.provider(provider)?.functions ?? {}, name);
  if (provided === undefined) return undefined;
  const { parameters, variadic, returns, description, summary } = provided;
  return signature(
    call.name,
    parameters,
    variadic,
    returns,
    description ?? summary ?? '',
    call.argument,
  );
}

/** The constructs around an offset; in JSON, those of the template of its string. */
function nestingAt(document: SourceDocument, offset: number): readonly Nesting[] {
  if (document.kind.syntax !== 'json') return cursorContext(document.tokens, offset).nesting;
  const { isQuoted, typed } = jsonCursor(document.text, offset);
  if (!isQuoted) return [];
  const template = stringContent(document.text.slice(typed.start + 1, offset));
  const tokens = scanTokens(new Source('<template>', template), 'template');
  return cursorContext(tokens, template.length).nesting;
}

/** The content of the beginning of a JSON string; escapes that are not complete are left out. */
function stringContent(text: string): string {
  const complete = /^(?:[^"\\\n]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/.exec(text)?.[0] ?? '';
  try {
    return String(JSON.parse(`"${complete}"`));
  } catch {
    // Control characters are not valid in JSON.
    return complete;
  }
}

function signature(
  name: string,
  fixed: readonly ShownParameter[],
  variadic: ShownParameter | undefined,
  returns: Type,
  documentation: string,
  argument: number,
): Signature {
  const parameters = fixed.map((parameter) => ({
    label: `${parameter.name} ${friendlyNameForConstraint(parameter.type)}`,
    documentation: parameter.description ?? '',
  }));
  if (variadic !== undefined)
    parameters.push({
      label: `…${variadic.name} ${friendlyNameForConstraint(variadic.type)}`,
      documentation: variadic.description ?? '',
    });
  const label = `${name}(${parameters.map((parameter) => parameter.label).join(', ')}) ${friendlyNameForConstraint(returns)}`;
  const last = Math.max(0, parameters.length - 1);
  return { label, documentation, parameters, activeParameter: Math.min(argument, last) };
}
