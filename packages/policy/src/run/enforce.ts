import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import type { EnforcementLevel } from '../language/model.ts';
import type {
  CheckerResult,
  JudgedObject,
  Judgement,
  PerformedOverride,
  PolicyMoment,
} from './model.ts';

/** Returns the diagnostic of a judgement: none, a warning or an error. */
export function judgementDiagnostics(judgement: Judgement): readonly Diagnostic[] {
  const { result, object, moment, override } = judgement;
  const { policy, level, outcome } = result;
  if (outcome === 'pass' || outcome === 'unknown') return [];
  const summary =
    outcome === 'error'
      ? `Policy "${policy.name}" cannot be evaluated`
      : `Policy "${policy.name}" failed`;
  const reasons =
    outcome === 'error'
      ? result.diagnostics.map(({ summary: problemSummary, detail, subject }) => {
          const place =
            subject === undefined ? '' : ` (${subject.filename} line ${subject.from.line})`;
          return `${problemSummary}${place}: ${detail}`;
        })
      : result.enforcements
          .filter((each) => each.outcome === 'fail')
          .map(
            ({ message, enforcement }) =>
              message ?? `The condition at line ${enforcement.range.from.line} is false.`,
          );
  const source = `${policy.range.filename}, line ${policy.range.from.line}`;
  const detail = [
    ...reasons,
    '',
    `${objectText(object)} violates ${policy.address} (${source}; ${level}). ${consequence(level, policy.name, moment, override)}`,
  ].join('\n');
  return [diagnosticOf(level, override, summary, detail, object)];
}

/** Returns the diagnostic of the result of an external checker. */
export function checkerDiagnostics(result: CheckerResult): readonly Diagnostic[] {
  const { checker, outcome, messages, override } = result;
  if (outcome === 'pass' || outcome === 'unknown') return [];
  const { name, level } = checker;
  const summary =
    outcome === 'error'
      ? `Policy checker "${name}" did not run`
      : `Policy checker "${name}" failed`;
  const detail = [...messages, '', consequence(level, name, 'plan', override)].join('\n');
  return [diagnosticOf(level, override, summary, detail, undefined)];
}

function diagnosticOf(
  level: EnforcementLevel,
  override: PerformedOverride | undefined,
  summary: string,
  detail: string,
  object: JudgedObject | undefined,
): Diagnostic {
  const isWarning = level === 'advisory' || override !== undefined;
  const extra = object === undefined ? {} : { address: object.address };
  return isWarning
    ? warningDiagnostic(summary, detail, object?.range, extra)
    : errorDiagnostic(summary, detail, object?.range, extra);
}

function objectText({ kind, address, operation }: JudgedObject): string {
  if (operation === undefined) return kind === 'plan' ? 'The plan' : address;
  return `The ${NOUNS[operation]} of ${address}`;
}

const NOUNS = { create: 'creation', update: 'update', delete: 'deletion' } as const;

function consequence(
  level: EnforcementLevel,
  name: string,
  moment: PolicyMoment,
  override: PerformedOverride | undefined,
): string {
  if (level === 'advisory') return 'The policy is advisory, so the run goes on.';
  if (override !== undefined) return `${override.by} overrides it: ${override.reason}`;
  const stopped = {
    plan: 'The plan cannot be applied.',
    'before-change': 'The change was not made.',
    'after-apply':
      'This was decided when all values were known, after the change; the objects and the state are intact.',
  }[moment];
  const next =
    level === 'mandatory_overridable'
      ? `Change the configuration, or override the policy with -override-policy=${name} -reason='…'.`
      : 'Change the configuration; a mandatory policy cannot be overridden.';
  return `${stopped} ${next}`;
}
