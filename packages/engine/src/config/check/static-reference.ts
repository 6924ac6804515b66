import {
  type Reference,
  type Referenceable,
  ResourceAddr,
  type ResourceMode,
} from '@terrane/addresses';
import { compareText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type TraversalStep } from '@terrane/hcl';
import type { Schema } from '@terrane/provider';
import { didYouMean } from '../../lang/did-you-mean.ts';
import type { Module, Resource, Schemas } from '../model.ts';
import { schemaTraversalProblems } from './schema-traversal.ts';
import { actionUnavailable, selfUnavailable } from './unavailable.ts';

/** The position of a reference. */
export interface ReferenceOrigin {
  /** the resource of `self`; undefined if `self` is not available */
  readonly self?: ResourceAddr | undefined;
  /** the check block that contains the expression */
  readonly check?: string | undefined;
}

const ARTICLES: Readonly<Record<ResourceMode, string>> = {
  managed: 'A managed',
  data: 'A data',
  ephemeral: 'An ephemeral',
  list: 'A list',
};

const displayPath = (module: Module): string => module.path.text || 'the root module';

/**
 * Validates a reference independently of values: the object must be declared, the instance key must match the
 * repetition, the attribute must be in the schema.
 */
export function referenceProblems(
  reference: Reference,
  module: Module,
  schemas: Schemas,
  origin: ReferenceOrigin,
): Diagnostic[] {
  const { subject } = reference;
  switch (subject.kind) {
    case 'action':
      return [actionUnavailable(reference)];
    case 'self':
    case 'caller':
      return origin.self === undefined
        ? [selfUnavailable(reference)]
        : resourceProblems(reference, origin.self, true, module, schemas, origin);
    case 'resource':
      return resourceProblems(reference, subject.resource, subject.hasKey, module, schemas, origin);
    case 'moduleCall':
      return moduleProblems(reference, subject.name, module);
    case 'variable':
    case 'local':
      return declarationProblems(reference, subject, module);
    default:
      return [];
  }
}

function resourceProblems(
  reference: Reference,
  addr: ResourceAddr,
  keyed: boolean,
  module: Module,
  schemas: Schemas,
  origin: ReferenceOrigin,
): Diagnostic[] {
  const resource = module.resources.get(addr.text);
  if (resource === undefined) return [undeclaredResource(reference, addr, module)];
  const steps = reference.traversal.steps.slice(reference.consumed);
  const problems = keyed
    ? unexpectedKey(reference, resource, origin)
    : missingKey(reference, resource, steps);
  if (resource.check !== undefined && resource.check !== origin.check) {
    problems.push(
      errorDiagnostic(
        'Reference to scoped resource',
        `The referenced ${addr.mode} resource "${addr.type}" "${addr.name}" is not available from this context.`,
        reference.range,
      ),
    );
  }
  const providerSchema = schemas.provider(resource.provider);
  if (providerSchema === undefined) return problems;
  const schema = schemas.resource(resource.provider, addr.mode, addr.type);
  if (schema === undefined) {
    problems.push(
      errorDiagnostic(
        'Invalid resource type',
        `${ARTICLES[addr.mode]} resource type "${addr.type}" is not supported by provider "${resource.provider.text}".`,
        reference.range,
      ),
    );
    return problems;
  }
  const first = steps[0];
  if (first?.kind === 'attr' && first.name === 'count') {
    problems.push(
      errorDiagnostic(
        'Invalid resource count attribute',
        `The special "count" attribute is no longer supported after Terraform v0.12. Instead, use length(${addr.text}) to count resource instances.`,
        reference.range,
      ),
    );
    return problems;
  }
  if (addr.mode === 'list') {
    const managed = schemas.resource(resource.provider, 'managed', addr.type);
    problems.push(...listTraversalProblems(managed, reference, beforeSplat(steps)));
    return problems;
  }
  const ofSteps = schemaTraversalProblems(schema.block, beforeSplat(steps));
  if (problems.length === 0) return ofSteps;
  problems.push(...ofSteps);
  return problems;
}

/**
 * Validates a reference into the `data` of a list resource: a list of objects with `identity`, `display_name` and, if
 * requested, `state`.
 */
function listTraversalProblems(
  managed: Schema | undefined,
  { range }: Reference,
  steps: readonly TraversalStep[],
): Diagnostic[] {
  const problem = (detail: string): Diagnostic[] => [
    errorDiagnostic('Invalid list resource traversal', detail, range),
  ];
  const [data, index, part, ...rest] = steps;
  if (data === undefined) return [];
  if (data.kind !== 'attr' || data.name !== 'data') {
    const requirement = 'must be an attribute "data"';
    return problem(`The first step in the traversal for a list resource ${requirement}.`);
  }
  if (index === undefined) return [];
  if (index.kind !== 'index')
    return problem('The second step in the traversal for a list resource must be an index.');
  if (part === undefined) return [];
  if (part.kind !== 'attr' || !FOUND_PARTS.has(part.name)) {
    const requirement = 'must be an attribute "state" or "identity"';
    return problem(`The third step in the traversal for a list resource ${requirement}.`);
  }
  if (part.name !== 'state' || managed === undefined) return [];
  return schemaTraversalProblems(managed.block, rest);
}

const FOUND_PARTS: ReadonlySet<string> = new Set(['state', 'identity', 'display_name']);

/** Returns the steps up to a splat, after which steps apply to each element. */
function beforeSplat(steps: readonly TraversalStep[]): readonly TraversalStep[] {
  const splat = steps.findIndex((step) => step.kind === 'splat');
  return splat < 0 ? steps : steps.slice(0, splat);
}

function undeclaredResource(reference: Reference, addr: ResourceAddr, module: Module): Diagnostic {
  let suggestion = '';
  if (addr.mode === 'managed') {
    const asData = ResourceAddr.of('data', addr.type, addr.name);
    if (module.resources.has(asData.text)) {
      suggestion = `\n\nDid you mean the data resource ${asData.text}?`;
    }
  }
  return errorDiagnostic(
    'Reference to undeclared resource',
    `${ARTICLES[addr.mode]} resource "${addr.type}" "${addr.name}" has not been declared in ${displayPath(module)}.${suggestion}`,
    reference.range,
  );
}

function missingKey(
  reference: Reference,
  resource: Resource,
  steps: readonly TraversalStep[],
): Diagnostic[] {
  if (steps.length === 0) return [];
  if (resource.count === undefined && resource.forEach === undefined) return [];
  const missing = (argument: string, key: string): Diagnostic =>
    errorDiagnostic(
      'Missing resource instance key',
      `Because ${resource.addr.text} has "${argument}" set, its attributes must be accessed on specific instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    ${resource.addr.text}[${key}]`,
      reference.range,
    );
  const problems: Diagnostic[] = [];
  if (resource.count !== undefined) problems.push(missing('count', 'count.index'));
  if (resource.forEach !== undefined) problems.push(missing('for_each', 'each.key'));
  return problems;
}

function unexpectedKey(
  reference: Reference,
  resource: Resource,
  origin: ReferenceOrigin,
): Diagnostic[] {
  const { kind } = reference.subject;
  if ((kind === 'self' || kind === 'caller') && origin.self !== undefined) return [];
  if (resource.count !== undefined || resource.forEach !== undefined) return [];
  return [
    errorDiagnostic(
      'Unexpected resource instance key',
      `Because ${resource.addr.text} does not have "count" or "for_each" set, references to it must not include an index key. Remove the bracketed index to refer to the single instance of this resource.`,
      reference.range,
    ),
  ];
}

function moduleProblems(reference: Reference, name: string, module: Module): Diagnostic[] {
  if (module.calls.has(name)) return [];
  const names = [...module.calls.keys()].sort(compareText);
  return [
    errorDiagnostic(
      'Reference to undeclared module',
      `No module call named "${name}" is declared in ${displayPath(module)}.${didYouMean(name, names)}`,
      reference.range,
    ),
  ];
}

function declarationProblems(
  reference: Reference,
  subject: Referenceable & { readonly kind: 'variable' | 'local' },
  module: Module,
): Diagnostic[] {
  const { name } = subject;
  if (subject.kind === 'local') {
    if (module.locals.has(name)) return [];
    const hint = didYouMean(name, [...module.locals.keys()].sort(compareText));
    return [
      errorDiagnostic(
        'Reference to undeclared local value',
        `A local value with the name "${name}" has not been declared.${hint}`,
        reference.range,
      ),
    ];
  }
  if (module.variables.has(name)) return [];
  const hint =
    didYouMean(name, [...module.variables.keys()].sort(compareText)) ||
    ` This variable can be declared with a variable "${name}" {} block.`;
  return [
    errorDiagnostic(
      'Reference to undeclared input variable',
      `An input variable with the name "${name}" has not been declared.${hint}`,
      reference.range,
    ),
  ];
}
