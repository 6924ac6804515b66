import { type Gate, schedule } from '@terrane/graph';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { chain } from '@terrane/provider';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import type { Evaluation } from './evaluation.ts';
import type { ProgramNode } from './node.ts';
import type { Program } from './program.ts';

/** The result of evaluating a node: its diagnostics, or 'failed' if they are reported elsewhere. */
export type NodeOutcome = readonly Diagnostic[] | 'failed';

/** Evaluates a node whose only work is to evaluate expressions, and returns its diagnostics. */
export function evaluateExpressions(
  evaluation: Pick<Evaluation, 'evaluate'>,
  work: (pass: EvaluationPass) => void,
): NodeOutcome | Promise<NodeOutcome> {
  const diagnostics: Diagnostic[] = [];
  return chain(evaluation.evaluate(diagnostics, work), () => diagnostics);
}

/** Options of {@link drive}. */
export interface DriveOptions {
  /**
   * Evaluates one node. Its dependents are skipped if its diagnostics have errors, or if it returns `'failed'` because
   * its errors are reported elsewhere.
   */
  readonly run: (node: ProgramNode) => NodeOutcome | Promise<NodeOutcome>;
  /** Returns true for nodes that are skipped. Their dependents are still evaluated. */
  readonly excluded?: (node: ProgramNode) => boolean;
  /** The maximum number of nodes that wait for I/O at the same time. */
  readonly limit: number;
  /** Delays ready nodes. */
  readonly gate?: Gate;
  readonly signal?: AbortSignal;
}

/** The result of {@link drive}. */
export interface Driven {
  readonly diagnostics: readonly Diagnostic[];
  /** Returns true if the node was evaluated without errors. */
  done(node: ProgramNode): boolean;
  readonly stopped: boolean;
}

/** Evaluates every node of a program after its dependencies. Dependents of a failed node are skipped. */
export async function drive(program: Program, options: DriveOptions): Promise<Driven> {
  const diagnostics: Diagnostic[] = [];
  const record = (outcome: NodeOutcome): 'failed' | undefined => {
    if (outcome === 'failed') return outcome;
    if (outcome.length === 0) return undefined;
    diagnostics.push(...outcome);
    return hasErrors(outcome) ? 'failed' : undefined;
  };
  const { gate, signal } = options;
  const result = await schedule({
    dependencies: program.dependencies,
    order: { order: program.order, cycles: [] },
    limit: options.limit,
    ...(gate === undefined ? {} : { gate }),
    ...(signal === undefined ? {} : { signal }),
    run: (id) => {
      const node = program.nodes[id];
      if (node === undefined || options.excluded?.(node) === true) return undefined;
      const outcome = options.run(node);
      return isPromise(outcome) ? outcome.then(record) : record(outcome);
    },
  });
  return {
    diagnostics,
    done: (node) => result.outcome(node.id) === 'done',
    stopped: result.stopped,
  };
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise;
}
