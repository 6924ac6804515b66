import { quoteText } from '@terrane/cty';
import {
  CtyError,
  DYNAMIC,
  attrStep,
  indexStep,
  parseJson,
  valueFromJson,
  valueToJson,
  type JsonNode,
  type Path,
  type PathStep,
} from '@terrane/cty';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { memberOf } from './json-struct.ts';
import { jsonString } from './json-writer.ts';
import { STEP_SHAPE } from './statefile-shapes.ts';

/**
 * Parses the paths of a state file's `sensitive_attributes`: a list of lists of steps, each with a type and a name, or
 * an index with its type. Malformed paths are omitted and reported.
 */
export function sensitivePathsFromJson(text: string): {
  readonly paths: readonly Path[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const node = parseJson(text);
  if (node === null) return { paths: [], diagnostics };
  if (!isArray(node)) return { paths: [], diagnostics: [malformedStepsError(node)] };
  const paths: Path[] = [];
  for (const steps of node) {
    if (!isArray(steps)) return { paths: [], diagnostics: [malformedStepsError(steps)] };
    const path: PathStep[] = [];
    const failure = readSteps(steps, path);
    if (failure === undefined) paths.push(path);
    else diagnostics.push(failure);
  }
  return { paths, diagnostics };
}

function readSteps(steps: readonly JsonNode[], path: PathStep[]): Diagnostic | undefined {
  for (const step of steps) {
    if (!(step instanceof Map)) return malformedStepsError(step);
    let type: JsonNode | undefined;
    let value: JsonNode = null;
    for (const [key, member] of step) {
      const name = memberOf(STEP_SHAPE, key);
      if (name === 'type') type = member ?? type;
      else if (name === 'value') value = member;
    }
    if (type === 'get_attr') {
      if (typeof value !== 'string') {
        return errorDiagnostic(
          'Error unmarshaling path step',
          `Failed to unmarshal get attr step name: json: cannot unmarshal ${kindOf(value)} into Go value of type string`,
        );
      }
      path.push(attrStep(value));
    } else if (type === 'index') {
      try {
        path.push(indexStep(valueFromJson(value, DYNAMIC)));
      } catch (error) {
        if (!(error instanceof CtyError)) throw error;
        return errorDiagnostic(
          'Error unmarshaling path step',
          `Failed to unmarshal index step key: ${error.message}`,
        );
      }
    } else {
      return errorDiagnostic(
        'Unsupported path step',
        `Unsupported path step type ${quoteText(typeof type === 'string' ? type : '')}`,
      );
    }
  }
  return undefined;
}

function malformedStepsError(node: JsonNode): Diagnostic {
  return errorDiagnostic(
    'Error unmarshaling path steps',
    `json: cannot unmarshal ${kindOf(node)} into Go value of type [][]statefile.pathStep`,
  );
}

function kindOf(node: JsonNode): string {
  if (node === null) return 'null';
  if (typeof node === 'boolean') return 'bool';
  if (typeof node === 'string') return 'string';
  if (isArray(node)) return 'array';
  return node instanceof Map ? 'object' : 'number';
}

function isArray(node: JsonNode): node is readonly JsonNode[] {
  return Array.isArray(node);
}

/** The opposite: JSON text of paths. */
export function sensitivePathsToJson(paths: readonly Path[]): string {
  return `[${paths.map((path) => `[${path.map(stepToJson).join(',')}]`).join(',')}]`;
}

function stepToJson(step: PathStep): string {
  return step.kind === 'attr'
    ? `{"type":"get_attr","value":${jsonString(step.name)}}`
    : `{"type":"index","value":${valueToJson(step.key, DYNAMIC)}}`;
}
