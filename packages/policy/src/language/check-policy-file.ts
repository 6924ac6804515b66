import {
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  functionCalls,
  nameSuggestion,
  type Traversal,
  variables,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Policy, PolicyFile } from './model.ts';

/** Reports references and function calls of a policy file that cannot be evaluated with any values. */
export function checkPolicyFile(
  file: PolicyFile,
  functionNames: ReadonlySet<string>,
): readonly Diagnostic[] {
  const checker = new ReferenceChecker(file, functionNames);
  const fileRoots = ['input', 'local'];
  for (const expression of file.locals.values()) checker.check(expression, fileRoots);
  if (file.enforcementLevel !== undefined) checker.check(file.enforcementLevel, fileRoots);
  for (const policy of file.policies) checkPolicy(policy, checker);
  return checker.diagnostics;
}

function checkPolicy(policy: Policy, checker: ReferenceChecker): void {
  const names = [...policy.locals.keys()];
  const roots = ['input', 'local', 'attrs', 'meta'];
  const hasPrior = policy.kind === 'resource' && !policy.operations.has('create');
  if (hasPrior) roots.push('prior_attrs');
  const check = (expression: Expression | undefined): void => {
    if (expression !== undefined) checker.check(expression, roots, names, policy);
  };
  for (const expression of policy.locals.values()) check(expression);
  check(policy.filter);
  if (policy.enforcementLevel !== undefined)
    checker.check(policy.enforcementLevel, ['input', 'local']);
  for (const { condition, errorMessage, infoMessage } of policy.enforcements) {
    check(condition);
    check(errorMessage);
    check(infoMessage);
  }
}

class ReferenceChecker {
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: PolicyFile;
  readonly #functions: ReadonlySet<string>;

  constructor(file: PolicyFile, functions: ReadonlySet<string>) {
    this.#file = file;
    this.#functions = functions;
  }

  check(
    expression: Expression,
    roots: readonly string[],
    ownLocals: readonly string[] = [],
    policy?: Policy,
  ): void {
    for (const traversal of variables(expression))
      this.#checkTraversal(traversal, roots, ownLocals, policy);
    for (const { name, range } of functionCalls(expression)) {
      if (this.#functions.has(name)) continue;
      if (this.#functions.has(`core::${name}`)) {
        // Terraform reports it only if the call is evaluated, and published policies contain such calls.
        const detail = `There is no function named ${JSON.stringify(name)}, so the call fails if it is evaluated. Functions of the language have the prefix "core::" in policies: write core::${name}.`;
        this.diagnostics.push(warningDiagnostic('Function without prefix', detail, range));
        continue;
      }
      const detail = `There is no function named ${JSON.stringify(name)}.${nameSuggestion(name, [...this.#functions])}`;
      this.diagnostics.push(errorDiagnostic('Call to unknown function', detail, range));
    }
  }

  #checkTraversal(
    { steps, range }: Traversal,
    roots: readonly string[],
    ownLocals: readonly string[],
    policy: Policy | undefined,
  ): void {
    const [root, step] = steps;
    const name = root?.kind === 'root' ? root.name : '';
    if (!roots.includes(name)) {
      this.diagnostics.push(
        name === 'prior_attrs' && policy !== undefined
          ? unavailablePrior(policy, range)
          : errorDiagnostic(
              'Invalid reference',
              `There is no object named ${JSON.stringify(name)} here. Available are ${roots.join(', ')}.${nameSuggestion(name, roots)}`,
              range,
            ),
      );
      return;
    }
    if (name !== 'input' && name !== 'local') return;
    const declaredNames =
      name === 'input'
        ? [...this.#file.inputs.keys()]
        : [...this.#file.locals.keys(), ...ownLocals];
    const member = step?.kind === 'attr' ? step.name : undefined;
    if (member === undefined) {
      const detail = `The object "${name}" is followed by the name of ${name === 'input' ? 'an input' : 'a local value'}, as in ${name}.name.`;
      this.diagnostics.push(errorDiagnostic('Invalid reference', detail, range));
    } else if (!declaredNames.includes(member)) {
      const subject = name === 'input' ? 'An input' : 'A local value';
      const detail = `${subject} named ${JSON.stringify(member)} is not declared in this file.${nameSuggestion(member, declaredNames)}`;
      const summary = `Reference to undeclared ${name === 'input' ? 'input' : 'local value'}`;
      this.diagnostics.push(errorDiagnostic(summary, detail, range));
    }
  }
}

function unavailablePrior(policy: Policy, range: Traversal['range']): Diagnostic {
  const detail =
    policy.kind === 'resource'
      ? 'Values before a change exist only if the policy is not for creations. Set the argument "operations" of the policy to a list without "create", such as ["update", "delete"].'
      : 'Only resource policies have values before a change.';
  return errorDiagnostic('Reference to unavailable prior_attrs', detail, range);
}
