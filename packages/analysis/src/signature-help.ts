import { friendlyNameForConstraint, type Type } from '@terrane/cty';
import type { AnalysisContext } from './analysis-context.ts';
import { cursorContext } from './cursor-context.ts';
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
  if (document.kind.syntax === 'json') return undefined;
  // At the end of a function's name, the call that begins there is meant.
  const isBefore = /[\w-]\($/.test(document.text.slice(Math.max(0, offset - 1), offset + 1));
  const { nesting } = cursorContext(document.tokens, isBefore ? offset + 1 : offset);
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
