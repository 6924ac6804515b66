import type { FunctionSpec } from '@terrane/cty';
import type { InputValue } from '../collect-variables.ts';

/** Dependencies of expressions that are evaluated while a configuration is loaded. */
export interface ConstantSettings {
  /** returns the input of a root variable; called only for variables that constant expressions use */
  inputOf(name: string): InputValue | undefined;
  /** returns the functions of the language; called only if a function is called */
  functions(): ReadonlyMap<string, FunctionSpec>;
  /** loads the functions, if the first call happens after loading */
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
