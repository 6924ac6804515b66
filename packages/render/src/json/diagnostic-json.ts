import {
  CtyError,
  DYNAMIC,
  functionReturnType,
  type FunctionSpec,
  type Parameter,
  type Type,
  typeToJsonText,
  unknownOf,
} from '@terrane/cty';
import {
  deprecationOrigin,
  type Diagnostic,
  diagnosticSnippet,
  type Position,
  type Range,
  type Snippet,
} from '@terrane/hcl';
import { differenceJson } from './difference-json.ts';
import { jsonArray, JsonMembers, jsonString } from './json-text.ts';

/** A diagnostic as in `validate -json` and the `-json` stream, as compact JSON text. */
export function diagnosticJsonText(diagnostic: Diagnostic): string {
  const { subject } = diagnostic;
  const snippet = subject === undefined ? undefined : diagnosticSnippet(diagnostic);
  return new JsonMembers()
    .add('severity', jsonString(diagnostic.severity))
    .add('summary', jsonString(diagnostic.summary))
    .add('detail', jsonString(diagnostic.detail))
    .addText('address', diagnostic.address)
    .add('range', subject === undefined ? undefined : rangeJson(subject))
    .add('snippet', snippet === undefined ? undefined : snippetJson(snippet))
    .addText('deprecation_origin_description', deprecationOrigin(diagnostic))
    .add('difference', differenceJson(diagnostic))
    .text();
}

function rangeJson(range: Range): string {
  // An empty range would be invisible, so it is extended to one character.
  const empty = range.start === range.end ? 1 : 0;
  return `{"filename":${jsonString(range.filename)},"start":${positionJson(range.from, 0)},"end":${positionJson(range.to, empty)}}`;
}

function positionJson(position: Position, plus: number): string {
  return `{"line":${position.line},"column":${position.column + plus},"byte":${position.byte + plus}}`;
}

function snippetJson(snippet: Snippet): string {
  const values = snippet.values.map(
    (value) =>
      `{"traversal":${jsonString(value.traversal)},"statement":${jsonString(value.statement)}}`,
  );
  return new JsonMembers()
    .add('context', snippet.context === undefined ? 'null' : jsonString(snippet.context))
    .add('code', jsonString(snippet.code))
    .add('start_line', String(snippet.startLine))
    .add('highlight_start_offset', String(snippet.highlightStartByte))
    .add('highlight_end_offset', String(snippet.highlightEndByte))
    .add('values', jsonArray(values))
    .add(
      'function_call',
      snippet.functionCall === undefined ? undefined : callJson(snippet.functionCall),
    )
    .text();
}

function callJson(call: NonNullable<Snippet['functionCall']>): string {
  return new JsonMembers()
    .add('called_as', jsonString(call.name))
    .add(
      'signature',
      call.signature === undefined ? undefined : signatureJson(call.name, call.signature),
    )
    .text();
}

function signatureJson(calledAs: string, spec: FunctionSpec): string {
  const name = calledAs.slice(calledAs.lastIndexOf('::') + (calledAs.includes('::') ? 2 : 1));
  return new JsonMembers()
    .add('name', jsonString(name))
    .add('params', jsonArray(spec.parameters.map(parameterJson)))
    .add('variadic_param', spec.variadic === undefined ? undefined : parameterJson(spec.variadic))
    .add('return_type', typeText(returnType(spec)))
    .text();
}

function parameterJson(parameter: Parameter): string {
  return `{"name":${jsonString(parameter.name)},"type":${typeText(parameter.type)}}`;
}

/** Formats a type as JSON; internal types are written as any type. */
function typeText(type: Type): string {
  try {
    return typeToJsonText(type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return '"dynamic"';
  }
}

/** Returns the result type of a function for arguments of known types and unknown values. */
function returnType(spec: FunctionSpec): Type {
  const parameters =
    spec.variadic === undefined ? spec.parameters : [...spec.parameters, spec.variadic];
  try {
    return functionReturnType(
      spec,
      parameters.map((parameter) => unknownOf(parameter.type)),
    );
  } catch {
    // Some functions reject a single argument in place of a variable number.
    return DYNAMIC;
  }
}
