import type { FunctionSpec } from '@terrane/cty';
import type { InputValue } from '../collect-variables.ts';

/** Dependencies of expressions that are evaluated while a configuration is loaded. */
export interface ConstantSettings {
  /** returns the input of a root variable; called only for variables that constant expressions use */
  inputOf(name: string): InputValue | undefined;
  /** the functions of the language; asked only when one is called */
  functions(): ReadonlyMap<string, FunctionSpec>;
  /** makes the functions ready, where something calls one only after all is loaded */
  prepareFunctions?(): Promise<void>;
  /** `terraform.workspace` */
  readonly workspace: string;
  /** `path.cwd` */
  readonly cwd: string;
}

const NO_FUNCTIONS: ReadonlyMap<string, FunctionSpec> = new Map();

/** Settings without inputs and functions: variables have their defaults. */
export const NO_CONSTANT_SETTINGS: ConstantSettings = {
  inputOf: () => undefined,
  functions: () => NO_FUNCTIONS,
  workspace: 'default',
  cwd: '.',
};
