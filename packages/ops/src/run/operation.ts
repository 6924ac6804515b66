import type { Plan } from '@terrane/engine';
import { programCommand } from '@terrane/host';

/** The operation that a run performs. */
export type Operation =
  | { readonly kind: 'plan'; readonly mode: Plan['mode']; readonly savesPlan: boolean }
  | { readonly kind: 'apply'; readonly mode: Plan['mode'] }
  /** applies a plan that a server stores */
  | { readonly kind: 'apply-remote-plan' }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'import' }
  | { readonly kind: 'query' };

/** Properties of an operation that the stages of a run depend on. */
export interface OperationProperties {
  /** operation recorded in the lock information, named as Terraform names it */
  readonly lockName: string;
  /** output that is encrypted: keys must be available before anything changes; undefined if nothing is stored */
  readonly writes: 'state' | 'plan' | undefined;
  /** detail of the error for a directory without configuration; undefined if such a directory is accepted */
  readonly missingConfiguration: string | undefined;
  /** true if query files are part of the configuration */
  readonly includesQueries: boolean;
  /** true if the operation warns of providers under development, as in Terraform */
  readonly warnsOfOverrides: boolean;
}

const MISSING_FOR_PLAN =
  'Plan requires configuration to be present. Planning without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run plan with the -destroy option. Otherwise, create a Terraform configuration file (.tf file) and try again.';

const MISSING_FOR_QUERY =
  'Query requires a query configuration to be present. Create a Terraform query configuration file (.tfquery.hcl file) and try again.';

const missingForApply = (): string =>
  `Apply requires configuration to be present. Applying without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run '${programCommand('destroy')}' instead.`;

/** Returns the properties of an operation. */
export function operationProperties(operation: Operation): OperationProperties {
  const common = {
    writes: 'state',
    missingConfiguration: undefined,
    includesQueries: false,
    warnsOfOverrides: true,
  } as const;
  switch (operation.kind) {
    case 'plan':
      return {
        ...common,
        lockName: 'OperationTypePlan',
        writes: operation.savesPlan ? 'plan' : undefined,
        missingConfiguration: operation.mode === 'destroy' ? undefined : MISSING_FOR_PLAN,
      };
    case 'apply':
      return {
        ...common,
        lockName: 'OperationTypeApply',
        missingConfiguration: operation.mode === 'destroy' ? undefined : missingForApply(),
      };
    case 'apply-remote-plan':
      return { ...common, lockName: 'OperationTypeApply' };
    case 'refresh':
      return { ...common, lockName: 'OperationTypeRefresh', warnsOfOverrides: false };
    case 'import':
      return { ...common, lockName: 'OperationTypeInvalid', warnsOfOverrides: false };
    case 'query':
      return {
        ...common,
        lockName: 'OperationTypePlan',
        writes: undefined,
        missingConfiguration: MISSING_FOR_QUERY,
        includesQueries: true,
      };
  }
}
