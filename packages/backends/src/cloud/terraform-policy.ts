import { type ApiObject, fieldsOf, listOf, textOf } from './api-object.ts';

/** The evaluation of Terraform policies at one stage of a run. */
export interface TerraformPolicyEvaluation {
  readonly id: string;
  /** `passed`, `failed`, `unreachable`, … */
  readonly status: string;
  /** `Init`, `Plan` or `Apply` */
  readonly stage: string;
}

/** The outcome of a set of Terraform policies. */
export interface TerraformPolicySet {
  readonly name: string;
  readonly outcomes: readonly TerraformPolicyOutcome[];
}

/** The outcome of one Terraform policy. */
export interface TerraformPolicyOutcome {
  readonly name: string;
  /** The file of the policy; empty if the server does not name it. */
  readonly file: string;
  readonly status: string;
  readonly isAdvisory: boolean;
}

/** Decodes the evaluation of Terraform policies of a stage. */
export function terraformPolicyEvaluation({
  id,
  attributes,
}: ApiObject): TerraformPolicyEvaluation {
  return {
    id,
    status: textOf(attributes['status']) ?? '',
    stage: textOf(attributes['stage-type']) ?? '',
  };
}

/** Decodes the outcome of a set of Terraform policies. */
export function terraformPolicySet({ attributes }: ApiObject): TerraformPolicySet {
  return {
    name: textOf(attributes['policy-set-name']) ?? '',
    outcomes: listOf(attributes['outcomes'])
      .map(fieldsOf)
      .map((outcome) => ({
        name: textOf(outcome['policy_name']) ?? '',
        file: textOf(outcome['file_name']) ?? '',
        status: textOf(outcome['status']) ?? '',
        isAdvisory: outcome['enforcement_level'] === 'advisory',
      })),
  };
}
